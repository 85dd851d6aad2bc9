import type { Socket } from "node:net";
import type { Pool, PoolClient } from "pg";
import { type KeyReference, keyOfRow } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { run } from "../db/statement";
import { CEILING_NAMES, WINDOWS } from "../limits/schema";
import { type Units, unitsOfDecimal } from "../limits/units";
import { type PricesState, READ_PRICES_STATE } from "../prices/statements/read-prices";
import { decide, type LockedKey, type SpendCall, type SpendOutcome, type StoredAuthorization } from "./decide";
import type { KeyState } from "./judge";
import { quoteOf, usageOf } from "./quote";
import { type DecidedKey, writeDecisions } from "./spend-writing";
import { LOCK_FREE_KEYS, LOCK_KEYS } from "./statements/lock-keys";
import { type AuthorizationRow, READ_AUTHORIZATIONS, READ_REQUESTS } from "./statements/read-authorizations";
import { type KeyRow, READ_LOCKED_KEYS } from "./statements/read-keys";
import { releaseLocked } from "./statements/release-expired";

/** The calls of one key, and what came of them. */
interface KeyCalls {
  key: KeyReference;
  calls: SpendCall[];
}

/** The rules for all keys that an operator sets. */
export interface SpendRules {
  /** How many authorizations of one key may be open at a time. */
  maxOpenHolds: number;
  /** A capture may be at most so many times its hold. Undefined: any amount. */
  maxCaptureFactor?: number | undefined;
}

/** What came of each call. `undefined`: another transaction has locked its key, and nothing was decided. */
export type Decisions = ReadonlyMap<SpendCall, { outcome: SpendOutcome } | undefined>;

/** A text that names a key, for maps. */
export function nameOf({ accountId, keyId }: KeyReference): string {
  return `${accountId} ${keyId}`;
}

function nameOfRow(row: { account_id: string; key_id: string }): string {
  return nameOf(keyOfRow(row));
}

/**
 * Decides on calls of any keys in one transaction: locks and reads the keys, decides (`decide.ts`), and writes. The
 * statements of a step are sent without waiting for each other's answers, so that the transaction takes two round trips.
 * @param pool its connections must be in pipeline mode.
 * @param waits whether to wait for keys that another transaction has locked. Otherwise calls of these are not decided.
 */
export async function decideTogether(
  pool: Pool,
  calls: readonly SpendCall[],
  rules: SpendRules,
  waits: boolean,
): Promise<Decisions> {
  const groups = groupByKey(calls);
  const client = await pool.connect();
  let broken = false;
  try {
    return await inPipeline(client, groups, rules, waits);
  } catch (error) {
    // A connection that cannot undo its transaction is closed.
    await client.query("ROLLBACK").catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function inPipeline(
  client: PoolClient,
  groups: readonly KeyCalls[],
  rules: SpendRules,
  waits: boolean,
): Promise<Decisions> {
  const [, locked, ...first] = await sendTogether(client, () => [
    client.query("BEGIN"),
    run(client, waits ? LOCK_KEYS : LOCK_FREE_KEYS, namesOf(groups)),
    ...readAll(client, groups),
  ]);
  const isLocked = new Set(locked.map(nameOfRow));
  const decidable = waits ? groups : groups.filter(({ key }) => isLocked.has(nameOf(key)));
  const hasExpired = decidable.filter((group) => mustRelease(group, first[0]));
  const [keys, byId, byRequest, prices] =
    hasExpired.length === 0 ? first : await releaseAndReadAgain(client, hasExpired, decidable);
  const outcomes = new Map<SpendCall, { outcome: SpendOutcome }>();
  const decided: DecidedKey[] = [];
  for (const { key: reference, calls } of decidable) {
    const name = nameOf(reference);
    const row = keys.get(name);
    const key = row && lockedKey(row, rules, prices.get(reference.accountId));
    const stored = { byId: byId.get(name) ?? NONE, byRequest: byRequest.get(name) ?? NONE };
    const decision = decide(key, calls, stored, rules.maxCaptureFactor);
    for (const [i, call] of calls.entries()) outcomes.set(call, { outcome: decision.outcomes[i] });
    if (key) decided.push({ ...reference, day: key.day, month: key.month, changes: decision.changes });
  }
  await sendTogether(client, () => [...writeDecisions(client, decided), client.query("COMMIT")]);
  return outcomes;
}

const NONE: ReadonlyMap<string, StoredAuthorization> = new Map();

/** The calls by their keys, in the order in which all transactions lock keys. */
function groupByKey(calls: readonly SpendCall[]): KeyCalls[] {
  const groups = new Map<string, KeyCalls>();
  for (const call of calls) {
    const name = nameOf(call.key);
    const group = groups.get(name);
    if (group) group.calls.push(call);
    else groups.set(name, { key: call.key, calls: [call] });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function namesOf(groups: readonly KeyCalls[]): unknown[] {
  return [arrayParameter(groups.map(({ key }) => key.accountId)), arrayParameter(groups.map(({ key }) => key.keyId))];
}

async function readKeys(client: PoolClient, groups: readonly KeyCalls[]): Promise<Map<string, KeyRow>> {
  const areByValue = groups.map(({ calls }) => calls.some((call) => call.kind === "hold" && call.value !== null));
  const rows = await run(client, READ_LOCKED_KEYS, [...namesOf(groups), arrayParameter(areByValue)]);
  return new Map(rows.map((row) => [nameOfRow(row), row]));
}

/** The authorizations that calls want to settle: by the name of the key, by the id. */
async function readAuthorizations(
  client: PoolClient,
  groups: readonly KeyCalls[],
): Promise<Map<string, Map<string, StoredAuthorization>>> {
  const asked = groups.flatMap(({ key, calls }) =>
    calls.flatMap((call) => (call.kind === "hold" ? [] : [{ accountId: key.accountId, id: call.id }])),
  );
  if (asked.length === 0) return new Map();
  const rows = await run(client, READ_AUTHORIZATIONS, [
    arrayParameter(asked.map(({ accountId }) => accountId)),
    arrayParameter(asked.map(({ id }) => id)),
  ]);
  return byKey(rows, ({ id }) => id);
}

/** The authorizations that requests of the calls have already: by the name of the key, by the id of the request. */
async function readRequests(
  client: PoolClient,
  groups: readonly KeyCalls[],
): Promise<Map<string, Map<string, StoredAuthorization>>> {
  const asked = groups.flatMap(({ key, calls }) =>
    calls.flatMap((call) =>
      call.kind === "hold" && call.requestId !== undefined ? [{ key, request: call.requestId }] : [],
    ),
  );
  if (asked.length === 0) return new Map();
  const rows = await run(client, READ_REQUESTS, [
    asked.map(({ key }) => key.accountId),
    asked.map(({ key }) => key.keyId),
    asked.map(({ request }) => request),
  ]);
  return byKey(rows, ({ request_id }) => request_id ?? "");
}

function byKey(
  rows: readonly AuthorizationRow[],
  idOf: (row: AuthorizationRow) => string,
): Map<string, Map<string, StoredAuthorization>> {
  const found = new Map<string, Map<string, StoredAuthorization>>();
  for (const row of rows) {
    const name = nameOfRow(row);
    const ofKey = found.get(name) ?? new Map<string, StoredAuthorization>();
    found.set(name, ofKey.set(idOf(row), authorizationOf(row)));
  }
  return found;
}

/** How new the prices of the accounts with calls by model are: by the account. */
async function readPrices(client: PoolClient, groups: readonly KeyCalls[]): Promise<Map<string, PricesState>> {
  const isByModel = ({ calls }: KeyCalls) => calls.some((call) => call.kind === "hold" && call.known);
  const accountIds = [...new Set(groups.filter(isByModel).map(({ key }) => key.accountId))];
  if (accountIds.length === 0) return new Map();
  const rows = await run(client, READ_PRICES_STATE, [arrayParameter(accountIds)]);
  return new Map(rows.map((row) => [accountIds[row.place - 1] ?? "", row]));
}

/** Sends what reads the keys of the calls, and the authorizations that the calls name. */
function readAll(client: PoolClient, groups: readonly KeyCalls[]) {
  return [
    readKeys(client, groups),
    readAuthorizations(client, groups),
    readRequests(client, groups),
    readPrices(client, groups),
  ] as const;
}

/** Whether a hold is judged on a key whose counters still count holds that have expired. */
function mustRelease(group: KeyCalls, keys: ReadonlyMap<string, KeyRow>): boolean {
  return hasHold(group) && (keys.get(nameOf(group.key))?.must_release ?? false);
}

function hasHold({ calls }: KeyCalls): boolean {
  return calls.some(({ kind }) => kind === "hold");
}

/** The release changes counters and authorizations, so everything is read again. */
async function releaseAndReadAgain(
  client: PoolClient,
  hasExpired: readonly KeyCalls[],
  groups: readonly KeyCalls[],
): Promise<Answered<ReturnType<typeof readAll>>> {
  for (const { key } of hasExpired) await releaseLocked(client, key);
  return sendTogether(client, () => readAll(client, groups));
}

function lockedKey(row: KeyRow, rules: SpendRules, prices: PricesState | undefined): LockedKey {
  return {
    ...keyState(row, rules),
    isRevoked: row.is_revoked,
    values: row.value_hashes?.split(" ") ?? [],
    day: row.day,
    month: row.month,
    now: row.now,
    prices,
  };
}

const WINDOW_COLUMNS = WINDOWS.map(
  (name) => ({ name, limit: `${name}_limit`, spent: `${name}_spent`, held: `${name}_held` }) as const,
);

/** The state of a key as the rules read it. */
export function keyState(row: KeyRow, { maxOpenHolds }: SpendRules): KeyState {
  const ceilings = {} as KeyState["ceilings"];
  for (const name of CEILING_NAMES) ceilings[name] = unitsOrNull(row[name]);
  const windows = {} as KeyState["windows"];
  for (const { name, limit, spent, held } of WINDOW_COLUMNS) {
    windows[name] = {
      limit: unitsOrNull(row[limit]),
      spent: unitsOfDecimal(row[spent] ?? "0"),
      held: unitsOfDecimal(row[held] ?? "0"),
    };
  }
  const openHolds = { count: row.open_holds, most: maxOpenHolds };
  return {
    isAccountDisabled: row.is_account_disabled,
    isDisabled: row.is_disabled,
    isExpired: row.is_expired,
    ceilings,
    openHolds,
    windows,
    resetsAt: { daily_limit: row.day_resets_at, monthly_limit: row.month_resets_at, open_holds: row.hold_ends_at },
  };
}

function authorizationOf(row: AuthorizationRow): StoredAuthorization {
  const { id, state, day, month, expires_at: expiresAt, is_over: isOver, overrun, late, quote, usage } = row;
  const captured = unitsOrNull(row.captured);
  return {
    id,
    amount: unitsOfDecimal(row.amount),
    state,
    day,
    month,
    expiresAt,
    isOver,
    captured,
    overrun,
    late,
    quote: quote && quoteOf(quote),
    usage: usage && usageOf(usage),
  };
}

function unitsOrNull(decimal: string | null): Units | null {
  return decimal === null ? null : unitsOfDecimal(decimal);
}

/** What the answers are when all have come. */
type Answered<Answers extends readonly unknown[]> = { -readonly [I in keyof Answers]: Awaited<Answers[I]> };

/**
 * Sends several statements in one piece, and waits for all answers, so that the connection is free also after an error.
 * @throws the first error.
 */
async function sendTogether<const Answers extends readonly unknown[]>(
  client: PoolClient,
  send: () => Answers,
): Promise<Answered<Answers>> {
  const { stream } = (client as PoolClient & { connection: { stream: Socket } }).connection;
  // Otherwise each statement is a system call of its own.
  stream.cork();
  const answers = send();
  stream.uncork();
  await Promise.allSettled(answers);
  return (await Promise.all(answers)) as Answered<Answers>;
}
