import type { DBAdapter, DBTransactionAdapter } from "better-auth/types";
import { isOutage } from "../db/outage";
import { ADAPTER_METHODS } from "./hashed-tokens";
import { visitor } from "./recording";

/** An adapter of better-auth that notes in the visit when the database is away, because better-auth hides some errors. */
export function withNotedOutage(adapter: DBAdapter): DBAdapter {
  return {
    ...noting(adapter),
    transaction: (work) => adapter.transaction((transaction) => work(noting(transaction))).catch(noteOutage),
  } as DBAdapter;
}

function noting(adapter: DBTransactionAdapter): DBTransactionAdapter {
  const methods = ADAPTER_METHODS.map((name) => {
    const method = adapter[name] as (request: unknown) => Promise<unknown>;
    return [name, (request: unknown) => method(request).catch(noteOutage)];
  });
  return { ...adapter, ...Object.fromEntries(methods) };
}

/** Notes an error in the visit where it means that the database is away, and throws it. */
export function noteOutage(error: unknown): never {
  const visit = visitor.getStore();
  if (visit && isOutage(error)) visit.outage = error;
  throw error;
}
