import type { IncomingMessage } from "node:http";
import { type Caller, type CallerSource, recognizeKey } from "./auth/caller";
import type { GatewayTokens } from "./auth/gateway";
import type { SignInOptions } from "./auth/schema";
import { recognizeSession, sessionCookie } from "./auth/session";
import { browserOrigin, clientAddress, type HeaderReader, type Reach } from "./auth/visitor";
import type { Authorizer } from "./authorizations/authorizer";
import type { Database } from "./db/client";
import type { KeyInsertion } from "./keys/insertion";

/** The context of every procedure. The database is not asked before a procedure calls `caller`. */
export interface Context {
  db: Database;
  /** First 3 characters of new key values. */
  keyPrefix: string;
  signInOptions: SignInOptions;
  /** The caller, looked up once for a request. `undefined` when the key or the session is missing or not valid. */
  caller(): Promise<Caller | undefined>;
  /** Whether the request has one of the operator's tokens for gateways. Such a token may only authorize spend. */
  isGateway(): boolean;
  authorizer: Authorizer;
  keyInsertion: KeyInsertion;
}

/** The part of the context that all requests of a process share. */
export interface ContextSource extends CallerSource {
  keyPrefix: string;
  signInOptions: SignInOptions;
  reach: Reach;
  gatewayTokens: GatewayTokens;
  authorizer: Authorizer;
  keyInsertion: KeyInsertion;
}

/** The credentials and the address of a request. */
export interface Credentials {
  /** The `Authorization` header. When there is one, a cookie is ignored. */
  authorization: string | undefined;
  /** The session cookie. The REST API accepts none. */
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

/** Reads the headers of a request of `node:http`. */
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
    keyInsertion: source.keyInsertion,
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
