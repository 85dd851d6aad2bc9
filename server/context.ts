import type { AccountTurns } from "./account-turns";
import { bearerOf } from "./auth/bearer";
import { type Caller, type CallerSource, recognizeKey } from "./auth/caller";
import type { Gateways } from "./auth/gateway";
import { KnownSpender, type KnownSpenders } from "./auth/known-spenders";
import type { SignInOptions } from "./auth/schema";
import { recognizeSession, sessionTokens } from "./auth/session";
import type { Gateway } from "./auth/spender";
import { browserOrigin, type HeaderReader, type Reach } from "./auth/visitor";
import type { Authorizer } from "./authorizations/authorizer";
import type { Database } from "./db/client";
import type { Reads } from "./db/read-replica";
import { errors } from "./errors/catalogue";
import { failWith } from "./errors/public-error";
import type { ApiRequest } from "./fast-path/request";
import type { KeyInsertion } from "./keys/insertion";
import type { Catalogues } from "./prices/catalogues";
import type { RateState, RequestCount } from "./rate-limit";

/** The context of every procedure. To make one asks the database nothing. */
export interface Context {
  db: Database;
  /** For what may be read from a replica. */
  read: Reads;
  /** First 3 characters of new key values. */
  keyPrefix: string;
  signInOptions: SignInOptions;
  /** Address of the operator's gateway, for accounts that have set none. */
  gatewayUrl: string | undefined;
  /** The caller, looked up once for a request. `undefined` when the key or the session is missing or not valid. */
  caller(): Promise<Caller | undefined>;
  /** The gateway whose token the request has; `undefined` for any other request. It may only authorize spend. */
  gateway(): Gateway | undefined | Promise<Gateway | undefined>;
  /**
   * Who the sender of the request was when its credential was looked up last, less than a second ago. Whoever uses it must prove
   * it, or ask `caller` and `gateway` after all. `undefined` where that is longer ago, where the request is not read by the fast
   * path, for a key whose requests are counted, and where tables are distributed: docs/decisions/known-spenders.md.
   */
  knownSpender(): KnownSpender | undefined;
  authorizer: Authorizer;
  /** What models cost. */
  catalogues: Catalogues;
  keyInsertion: KeyInsertion;
  /** Bounds the calls of each account that are under way at once. */
  accountTurns: AccountTurns;
  /** For how many days the activity of a key goes back. */
  activityRetentionDays: number;
}

/** The part of the context that all requests of a process share. */
export interface ContextSource extends CallerSource {
  read: Reads;
  keyPrefix: string;
  signInOptions: SignInOptions;
  gatewayUrl: string | undefined;
  reach: Reach;
  gateways: Gateways;
  knownSpenders: KnownSpenders;
  authorizer: Authorizer;
  catalogues: Catalogues;
  keyInsertion: KeyInsertion;
  accountTurns: AccountTurns;
  activityRetentionDays: number;
  /** Absent: keys have no rate limit. */
  rateLimit: RequestCount | undefined;
}

/** The credentials and the address of a request. */
export interface Credentials {
  /** The `Authorization` header. When there is one, a cookie is ignored. */
  authorization: string | undefined;
  /** The tokens of session cookies. The REST API accepts none. */
  sessions: readonly string[];
  /** IP address of the client. */
  address: string | null;
  /** Whether the whole request has arrived, so that it may be read before its sender is recognised. */
  isWhole?: boolean;
}

/** The credentials of a browser: its session cookie, or a key like a program's. */
export function browserCredentials(
  header: HeaderReader,
  address: string | null,
  { reach, secrets }: ContextSource,
): Credentials {
  return {
    authorization: header("authorization"),
    sessions: sessionTokens(header("cookie"), browserOrigin(header, reach), secrets),
    address,
  };
}

/** Reads the headers of a request. */
export function headerOf(request: ApiRequest): HeaderReader {
  return (name) => request.headers[name]?.toString();
}

/** Who was recognised as the sender of a request, for its line in the log. Never a secret. */
export interface Recognized {
  /** The id of the account. */
  account?: string;
  /** The id of the key, where a key was used. */
  key?: string;
  /** The name of the gateway, where its token was used. */
  gateway?: string;
}

/**
 * The context of one request.
 * @param recognized gets what `caller` and `gateway` find out.
 * @param tellRate is called with what the key of the request has left, where keys have a rate limit.
 */
export function createContext(
  source: ContextSource,
  credentials: Credentials,
  recognized: Recognized = {},
  tellRate: (rate: RateState) => void = () => {},
): Context {
  let caller: Promise<Caller | undefined> | undefined;
  return {
    db: source.db,
    read: source.read,
    keyPrefix: source.keyPrefix,
    signInOptions: source.signInOptions,
    gatewayUrl: source.gatewayUrl,
    authorizer: source.authorizer,
    catalogues: source.catalogues,
    keyInsertion: source.keyInsertion,
    accountTurns: source.accountTurns,
    activityRetentionDays: source.activityRetentionDays,
    gateway() {
      const note = (gateway: Gateway | undefined) => {
        if (gateway) recognized.gateway = gateway.name;
        return gateway;
      };
      const found = source.gateways.find(credentials.authorization);
      return found instanceof Promise ? found.then(note) : note(found);
    },
    knownSpender() {
      // A database that is distributed is asked in another way.
      const mayBeKnown = credentials.isWhole && source.db.distribution.isOnOneServer;
      const presented = mayBeKnown ? bearerOf(credentials.authorization) : undefined;
      const credential = presented === undefined ? undefined : source.knownSpenders.find(presented);
      if (credential === undefined) return undefined;
      return new KnownSpender(credential, {
        onValid() {
          const { spender, key } = credential;
          if (typeof spender !== "string") recognized.gateway = spender.name;
          else recognized.account = spender;
          if (key) recognized.key = key.keyId;
        },
        onInvalid: () => source.knownSpenders.forget(credential),
      });
    },
    caller() {
      caller ??= recognize(source, credentials, recognized, tellRate);
      return caller;
    },
  };
}

async function recognize(
  source: ContextSource,
  { authorization, sessions, address }: Credentials,
  recognized: Recognized,
  tellRate: (rate: RateState) => void,
): Promise<Caller | undefined> {
  const isBrowser = authorization === undefined && sessions.length > 0;
  const caller = isBrowser
    ? await recognizeSession(source, sessions, address)
    : await recognizeKey(source, authorization, address);
  if (caller) {
    recognized.account = caller.accountId;
    if (caller.actor.kind === "rest") recognized.key = caller.actor.name;
    if (!isBrowser) await countRequest(source, caller, tellRate);
  }
  return caller;
}

/** Counts a request of a valid key, and refuses it when the key has made too many. */
async function countRequest(
  { rateLimit }: ContextSource,
  caller: Caller,
  tellRate: (rate: RateState) => void,
): Promise<void> {
  if (rateLimit === undefined) return;
  const rate = await rateLimit.count(`${caller.accountId} ${caller.actor.name}`);
  tellRate(rate);
  if (rate.isExceeded) throw failWith(errors.rateExceeded(rate.resetSeconds));
}
