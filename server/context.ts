import type { IncomingMessage } from "node:http";
import { type Caller, type CallerSource, recognizeKey } from "./auth/caller";
import type { GatewayTokens } from "./auth/gateway";
import type { SignInOptions } from "./auth/schema";
import { recognizeSession, sessionCookie } from "./auth/session";
import { browserOrigin, clientAddress, type HeaderReader, type Reach } from "./auth/visitor";
import type { Authorizer } from "./authorizations/authorizer";
import type { Database } from "./db/client";

/** What every procedure gets. Nothing is asked of the database before a procedure wants to know its caller. */
export interface Context {
  db: Database;
  /** First 3 characters of new key values. */
  keyPrefix: string;
  signInOptions: SignInOptions;
  /** Who calls; undefined when the key or the session is missing or not valid. Looked up once a request. */
  caller(): Promise<Caller | undefined>;
  /** Whether an operator's token was presented instead, which is good for spend alone. */
  isGateway(): boolean;
  authorizer: Authorizer;
}

/** What is the same for every request of a process. */
export interface ContextSource extends CallerSource {
  keyPrefix: string;
  signInOptions: SignInOptions;
  reach: Reach;
  gatewayTokens: GatewayTokens;
  authorizer: Authorizer;
}

/** What a request says of its caller. */
export interface Credentials {
  /** The `Authorization` header. Where there is one, a cookie counts for nothing. */
  authorization: string | undefined;
  /** The session cookie, where the door takes one. */
  session: string | undefined;
  /** IP address of the client. */
  address: string | null;
}

/** The credentials of a program: a key in the header. */
export function credentialsOf(request: IncomingMessage, { reach }: ContextSource): Credentials {
  return {
    authorization: request.headers.authorization,
    session: undefined,
    address: clientAddress(headerOf(request), request.socket.remoteAddress ?? null, reach),
  };
}

/** The credentials of a browser: its session cookie, or a key like a program's. */
export function browserCredentials(header: HeaderReader, peer: string | null, { reach }: ContextSource): Credentials {
  return {
    authorization: header("authorization"),
    session: sessionCookie(header("cookie"), browserOrigin(header, reach)),
    address: clientAddress(header, peer, reach),
  };
}

/** Reads the headers of a request as it came over the wire. */
export function headerOf(request: IncomingMessage): HeaderReader {
  return (name) => request.headers[name]?.toString();
}

/** The context of one request. */
export function createContext(source: ContextSource, { authorization, session, address }: Credentials): Context {
  let caller: Promise<Caller | undefined> | undefined;
  return {
    db: source.db,
    keyPrefix: source.keyPrefix,
    signInOptions: source.signInOptions,
    authorizer: source.authorizer,
    isGateway: () => source.gatewayTokens.recognize(authorization),
    caller() {
      caller ??=
        authorization === undefined && session !== undefined
          ? recognizeSession(source, session, address)
          : recognizeKey(source, authorization, address);
      return caller;
    },
  };
}
