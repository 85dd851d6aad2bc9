import { Counter } from "prom-client";
import { registry } from "./registry";

const authorizations = new Counter({
  name: "allowance_authorizations_total",
  help: "Authorizations by verdict: allowed, replayed, conflict (the request id was used for something else), or the code of the refusal.",
  labelNames: ["verdict"],
  registers: [registry],
});

const checks = new Counter({
  name: "allowance_checks_total",
  help: "Checks that held nothing, by verdict: allowed, or the code of the refusal.",
  labelNames: ["verdict"],
  registers: [registry],
});

const settlements = new Counter({
  name: "allowance_settlements_total",
  help: "Captures and voids by outcome: done, repeated (settled the same way before, or a void of what was released as expired before), conflict (settled another way before), too_large, not_found.",
  labelNames: ["kind", "outcome"],
  registers: [registry],
});

const transactions = new Counter({
  name: "allowance_spend_transactions_total",
  help: "Transactions that decide on spend, by the keys they decide on: known (as this process left them), changed (no longer so, or the credential of a sender has ended: nothing is decided, and they are read in a further one), read.",
  labelNames: ["keys"],
  registers: [registry],
});

/** Counts an authorization by its verdict. There are as many verdicts as the API documents. */
export function countAuthorization(verdict: string): void {
  authorizations.inc({ verdict });
}

/** Counts a check by its verdict. */
export function countCheck(verdict: string): void {
  checks.inc({ verdict });
}

/** Counts a transaction that decides on spend, by how it knows its keys (docs/decisions/known-keys.md). */
export function countSpendTransaction(keys: "known" | "changed" | "read"): void {
  transactions.inc({ keys });
}

/** Counts a capture or a void by what came of it. */
export function countSettlement(
  kind: "capture" | "void",
  outcome: "done" | "repeated" | "conflict" | "too_large" | "not_found",
): void {
  settlements.inc({ kind, outcome });
}
