import type { PoolClient } from "pg";
import type { KeyReference } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { run, type Statement } from "../db/statement";
import { decimalOf, type Units } from "../limits/units";
import type { TokenUsage } from "../prices/cost";
import type { Changes, RefusedCall, StoredAuthorization } from "./decide";
import { quoteJson, storedUsage } from "./quote";
import {
  ADD_REFUSALS,
  ADD_TO_DAYS,
  ADD_TO_MODEL_DAYS,
  INSERT_AUTHORIZATIONS,
  INSERT_LEDGER,
  INSERT_REFUSALS,
  SETTLE_AUTHORIZATIONS,
  WRITE_COUNTERS,
} from "./statements/write-spend";

/** A locked key with what its calls change. */
export interface DecidedKey extends KeyReference {
  /** The day and the first day of the month that the key is in, YYYY-MM-DD. */
  day: string;
  month: string;
  changes: Changes;
}

/** Sends what the decisions change, without waiting. Nothing is sent for a table that does not change. */
export function writeDecisions(client: PoolClient, keys: readonly DecidedKey[]): Promise<unknown>[] {
  const settled = keys.flatMap(({ accountId, keyId, changes }) =>
    [...changes.settled.values()].map((authorization) => ({ accountId, keyId, ...authorization })),
  );
  const captured = settled.filter(isCaptured);
  const granted = keys.flatMap(({ changes, ...key }) => changes.granted.map((call) => ({ ...key, ...call })));
  const refused = keys.flatMap(({ changes, ...key }) =>
    [...changes.refusals].map(([code, calls]) => ({ ...key, code, calls })),
  );
  const counted = keys.flatMap(({ changes, ...key }) =>
    changes.counters
      ? [{ ...key, changes, openHolds: changes.counters.openHolds.count, ...changes.counters.windows }]
      : [],
  );
  const writing = new Writing(client);
  writing.add(WRITE_COUNTERS, counted, [
    (key) => key.accountId,
    (key) => key.keyId,
    (key) => decimalOf(key.budget.spent),
    (key) => decimalOf(key.budget.held),
    (key) => key.day,
    (key) => decimalOf(key.daily_limit.spent),
    (key) => decimalOf(key.daily_limit.held),
    (key) => key.month,
    (key) => decimalOf(key.monthly_limit.spent),
    (key) => decimalOf(key.monthly_limit.held),
    (key) => key.openHolds,
    ({ changes: { granted } }) =>
      granted.length === 0 ? null : Math.min(...granted.map(({ ttlSeconds }) => ttlSeconds)),
  ]);
  writing.add(INSERT_AUTHORIZATIONS, granted, [
    (call) => call.accountId,
    (call) => call.id,
    (call) => call.keyId,
    (call) => call.requestId ?? null,
    (call) => decimalOf(call.asked.amount),
    (call) => call.day,
    (call) => call.month,
    (call) => call.ttlSeconds,
    (call) => call.gateway,
    (call) => (call.quote ? quoteJson(call.quote) : null),
  ]);
  writing.add(SETTLE_AUTHORIZATIONS, settled, [
    (authorization) => authorization.accountId,
    (authorization) => authorization.id,
    (authorization) => authorization.state,
    (authorization) => (authorization.captured === null ? null : decimalOf(authorization.captured)),
    (authorization) => authorization.overrun,
    (authorization) => authorization.late,
    ({ usage }) => (usage ? JSON.stringify(storedUsage(usage)) : null),
  ]);
  writing.add(INSERT_LEDGER, captured, [
    (authorization) => authorization.accountId,
    (authorization) => authorization.id,
    (authorization) => authorization.keyId,
    (authorization) => authorization.day,
    (authorization) => decimalOf(authorization.captured),
    (authorization) => authorization.overrun,
    (authorization) => authorization.late,
    (authorization) => authorization.quote?.model ?? null,
    (authorization) => authorization.usage?.inputTokens ?? null,
    (authorization) => authorization.usage?.cachedInputTokens ?? null,
    (authorization) => authorization.usage?.outputTokens ?? null,
  ]);
  writing.add(ADD_TO_DAYS, daysOf(captured), [
    (day) => day.accountId,
    (day) => day.keyId,
    (day) => day.day,
    (day) => decimalOf(day.spent),
    (day) => day.captures,
  ]);
  writing.add(ADD_TO_MODEL_DAYS, daysByModel(captured), [
    (day) => day.accountId,
    (day) => day.keyId,
    (day) => day.day,
    (day) => day.model,
    (day) => decimalOf(day.spent),
    (day) => day.captures,
    (day) => day.inputTokens,
    (day) => day.cachedInputTokens,
    (day) => day.outputTokens,
  ]);
  writing.add(ADD_REFUSALS, refused, [
    (refusal) => refusal.accountId,
    (refusal) => refusal.keyId,
    (refusal) => refusal.day,
    (refusal) => refusal.code,
    (refusal) => refusal.calls.length,
  ]);
  // After the counts, from which it reads the number of each refusal.
  writing.add(INSERT_REFUSALS, refused.flatMap(inOrder), [
    (refusal) => refusal.accountId,
    (refusal) => refusal.keyId,
    (refusal) => refusal.day,
    (refusal) => refusal.code,
    (refusal) => refusal.later,
    (refusal) => refusal.id,
    ({ asked }) => (asked.isModelUnknown ? null : decimalOf(asked.amount)),
    (refusal) => refusal.requestId ?? null,
    (refusal) => refusal.gateway,
    ({ modelCall, quote }) => quote?.model ?? modelCall?.model ?? null,
    ({ price }) => (price === null ? null : decimalOf(price)),
    ({ ceiling }) => (ceiling === null ? null : decimalOf(ceiling)),
  ]);
  return writing.sent;
}

/** Sends statements that take one array for each column. */
class Writing {
  readonly sent: Promise<unknown>[] = [];

  constructor(private readonly client: PoolClient) {}

  add<Row>(
    statement: Statement<object>,
    rows: readonly Row[],
    columns: readonly ((row: Row) => string | number | boolean | null)[],
  ): void {
    if (rows.length === 0) return;
    const values = columns.map((column) => arrayParameter(rows.map(column)));
    this.sent.push(run(this.client, statement, values));
  }
}

/** The calls that a key refused for one reason, each with the number of those after it. */
function inOrder<Refused extends { calls: readonly RefusedCall[] }>({ calls, ...refused }: Refused) {
  return calls.map((call, i) => ({ ...refused, ...call, later: calls.length - 1 - i }));
}

type Captured = StoredAuthorization & KeyReference & { captured: Units };

function isCaptured(authorization: StoredAuthorization & KeyReference): authorization is Captured {
  return authorization.state === "captured" && authorization.captured !== null;
}

/** What the captures add to each day of each key. */
function daysOf(captured: readonly Captured[]) {
  const days = new Map<string, { accountId: string; keyId: string; day: string; spent: Units; captures: number }>();
  for (const { accountId, keyId, day, captured: amount } of captured) {
    const name = `${accountId} ${keyId} ${day}`;
    const total = days.get(name) ?? { accountId, keyId, day, spent: 0n, captures: 0 };
    total.spent += amount;
    total.captures++;
    days.set(name, total);
  }
  return [...days.values()];
}

interface DayOfModel extends KeyReference, TokenUsage {
  day: string;
  model: string;
  spent: Units;
  captures: number;
}

/** What the captures with a model add to each day and model of each key. */
function daysByModel(captured: readonly Captured[]): DayOfModel[] {
  const days = new Map<string, DayOfModel>();
  for (const { accountId, keyId, day, captured: amount, quote, usage } of captured) {
    if (!quote) continue;
    const { model } = quote;
    const name = `${accountId} ${keyId} ${day} ${model}`;
    const none = { spent: 0n, captures: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
    const total = days.get(name) ?? { accountId, keyId, day, model, ...none };
    total.spent += amount;
    total.captures++;
    total.inputTokens += usage?.inputTokens ?? 0;
    total.cachedInputTokens += usage?.cachedInputTokens ?? 0;
    total.outputTokens += usage?.outputTokens ?? 0;
    days.set(name, total);
  }
  return [...days.values()];
}
