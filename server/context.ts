import type { IncomingMessage } from "node:http";
import { type Caller, type CallerSource, recognizeKey } from "./auth/caller";
import type { Database } from "./db/client";

/** What every procedure gets. Nothing is asked of the database before a procedure wants to know its caller. */
export interface Context {
  db: Database;
  /** First 3 characters of new key values. */
  keyPrefix: string;
  /** Who calls; undefined when the key or the session is missing or not valid. Looked up once a request. */
  caller(): Promise<Caller | undefined>;
}

/** What is the same for every request of a process. */
export interface ContextSource extends CallerSource {
  keyPrefix: string;
}

/** What a request says of its caller. */
export interface Credentials {
  /** The `Authorization` header. */
  authorization: string | undefined;
  /** IP address that the request came from. */
  address: string | null;
}

/** The credentials of a request, as it came over the wire. */
export function credentialsOf(request: IncomingMessage): Credentials {
  return { authorization: request.headers.authorization, address: request.socket.remoteAddress ?? null };
}

/** The context of one request. */
export function createContext(source: ContextSource, { authorization, address }: Credentials): Context {
  let caller: Promise<Caller | undefined> | undefined;
  return {
    db: source.db,
    keyPrefix: source.keyPrefix,
    caller() {
      caller ??= recognizeKey(source, authorization, address);
      return caller;
    },
  };
}
