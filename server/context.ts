import { type Caller, recognizeCaller } from "./auth/caller";
import type { Database } from "./db/client";

/** What every procedure gets. Nothing is asked of the database before a procedure wants to know its caller. */
export interface Context {
  db: Database;
  /** First 3 characters of new key values. */
  keyPrefix: string;
  /** Who calls; undefined when the key is missing or not valid. Looked up once a request. */
  caller(): Promise<Caller | undefined>;
}

/** What is the same for every request of a process. */
export interface ContextSource {
  db: Database;
  keyPrefix: string;
  /** Whether the migrations have been applied. */
  isMigrated(): boolean;
}

/** The context of one request, from its `Authorization` header. */
export function createContext(
  { db, keyPrefix, isMigrated }: ContextSource,
  authorization: string | undefined,
): Context {
  let caller: Promise<Caller | undefined> | undefined;
  return {
    db,
    keyPrefix,
    caller() {
      caller ??= recognizeCaller({ db, isMigrated }, authorization);
      return caller;
    },
  };
}
