import type { Pool, PoolClient } from "pg";
import type { KeyReference } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { BEGIN, bound, COMMIT, type Rows, sendTogether } from "../db/pipeline";
import { CEILING_NAMES } from "../limits/schema";
import { type Units, unitsOfDecimal } from "../limits/units";
import { type PricesState, READ_PRICES_STATE } from "../prices/statements/read-prices";
import { decide, type LockedKey, type SpendCall, type SpendOutcome, type StoredAuthorization } from "./decide";
import type { KeyState, WindowUse } from "./judge";
import { quoteOf, usageOf } from "./quote";
import { type DecidedKey, writesOf } from "./spend-writing";
import { LOCK_FREE_KEYS, LOCK_KEYS } from "./statements/lock-keys";
import { type AuthorizationRow, READ_AUTHORIZATIONS, READ_REQUESTS } from "./statements/read-authorizations";
import { type KeyRow, READ_LOCKED_KEYS } from "./statements/read-keys";
import { releaseLocked } from "./statements/release-expired";

/** The calls of one key, and what the database has of them. */
interface KeyCalls {
  key: KeyReference;
  calls: SpendCall[];
  /** Undefined: there is no such key. */
  row: KeyRow | undefined;
  /** The authorizations that calls settle, by their ids, and those that requests have already, by the ids of these. */
  stored: { byId: Map<string, StoredAuthorization>; byRequest: Map<string, StoredAuthorization> };
  /** How new the prices of the account are, where a call is by a model. */
  prices: PricesState | undefined;
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

/**
 * Decides on calls of any keys in one transaction: locks and reads the keys, decides (`decide.ts`), and writes. The
 * statements of a step are sent in one piece, so that the transaction takes two round trips.
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
  const locking = bound(waits ? LOCK_KEYS : LOCK_FREE_KEYS, namesOf(groups));
  const { statements, keep } = reading(groups);
  const [, locked, ...rows] = await sendTogether(client, [BEGIN, locking, ...statements]);
  keep(rows);
  const isLocked = new Set(locked.map(({ place }) => place));
  const decidable = waits ? groups : groups.filter((_, i) => isLocked.has(i + 1));
  const hasExpired = decidable.filter(mustRelease);
  if (hasExpired.length > 0) await releaseAndReadAgain(client, hasExpired, decidable);
  const outcomes = new Map<SpendCall, { outcome: SpendOutcome }>();
  const decided: DecidedKey[] = [];
  for (const { key: reference, calls, row, stored, prices } of decidable) {
    const key = row && lockedKey(row, rules, prices);
    const decision = decide(key, calls, stored, rules.maxCaptureFactor);
    for (const [i, call] of calls.entries()) outcomes.set(call, { outcome: decision.outcomes[i] });
    if (key) decided.push({ key: reference, day: key.day, month: key.month, changes: decision.changes });
  }
  await sendTogether(client, [...writesOf(decided), COMMIT]);
  return outcomes;
}

/** The calls by their keys, in the order in which all transactions lock keys. */
function groupByKey(calls: readonly SpendCall[]): KeyCalls[] {
  const groups = new Map<string, KeyCalls>();
  for (const call of calls) {
    const { key } = call;
    const name = nameOf(key);
    const group = groups.get(name);
    if (group) group.calls.push(call);
    else groups.set(name, { key, calls: [call], row: undefined, stored: newStored(), prices: undefined });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function newStored(): KeyCalls["stored"] {
  return { byId: new Map(), byRequest: new Map() };
}

function namesOf(groups: readonly Pick<KeyCalls, "key">[]): string[] {
  return [arrayParameter(groups.map(({ key }) => key.accountId)), arrayParameter(groups.map(({ key }) => key.keyId))];
}

/**
 * The statements that read the keys of the calls, and what the calls name: none where nothing is named. `keep` puts their rows
 * into the groups.
 */
function reading(groups: readonly KeyCalls[]) {
  const settled = groups.flatMap(({ key, calls, stored }) =>
    calls.flatMap((call) => (call.kind === "hold" ? [] : [{ key, id: call.id, found: stored.byId }])),
  );
  const requests = groups.flatMap(({ key, calls, stored }) =>
    calls.flatMap((call) =>
      call.kind === "hold" && call.requestId !== undefined
        ? [{ key, id: call.requestId, found: stored.byRequest }]
        : [],
    ),
  );
  const byModel = groups.filter(({ calls }) => calls.some((call) => call.kind === "hold" && call.known));
  const accountIds = [...new Set(byModel.map(({ key }) => key.accountId))];
  const isByValue = ({ calls }: KeyCalls) => calls.some((call) => call.kind === "hold" && call.value !== null);
  const idsOf = (asked: { id: string }[]) => arrayParameter(asked.map(({ id }) => id));
  const statements = [
    bound(READ_LOCKED_KEYS, [...namesOf(groups), arrayParameter(groups.map(isByValue))]),
    settled.length > 0
      ? bound(READ_AUTHORIZATIONS, [arrayParameter(settled.map(({ key }) => key.accountId)), idsOf(settled)])
      : undefined,
    requests.length > 0 ? bound(READ_REQUESTS, [...namesOf(requests), idsOf(requests)]) : undefined,
    accountIds.length > 0 ? bound(READ_PRICES_STATE, [arrayParameter(accountIds)]) : undefined,
  ] as const;
  const keep = ([keys, byId, byRequest, prices]: Rows<typeof statements>) => {
    for (const row of keys) {
      const group = groups[row.place - 1];
      if (group) group.row = row;
    }
    keepFound(settled, byId);
    keepFound(requests, byRequest);
    const states = new Map(prices.map((row) => [accountIds[row.place - 1], row]));
    for (const group of byModel) group.prices = states.get(group.key.accountId);
  };
  return { statements, keep };
}

function keepFound(
  asked: readonly { id: string; found: Map<string, StoredAuthorization> }[],
  rows: readonly AuthorizationRow[],
): void {
  for (const row of rows) {
    const { id, found } = asked[row.place - 1] ?? {};
    if (id !== undefined) found?.set(id, authorizationOf(row));
  }
}

/** Whether a hold is judged on a key whose counters still count holds that have expired. */
function mustRelease({ calls, row }: KeyCalls): boolean {
  return (row?.must_release ?? false) && calls.some(({ kind }) => kind === "hold");
}

/** The release changes counters and authorizations, so everything is read again. */
async function releaseAndReadAgain(
  client: PoolClient,
  hasExpired: readonly KeyCalls[],
  groups: readonly KeyCalls[],
): Promise<void> {
  for (const { key } of hasExpired) await releaseLocked(client, key);
  const { statements, keep } = reading(groups);
  keep(await sendTogether(client, statements));
}

function lockedKey(row: KeyRow, rules: SpendRules, prices: PricesState | undefined): LockedKey {
  // The spread comes last: what follows a first one is added slowly (docs/decisions/direct-invocation.md).
  return {
    isRevoked: row.is_revoked,
    values: row.value_hashes?.split(" ") ?? [],
    day: row.day,
    month: row.month,
    now: row.now,
    prices,
    ...keyState(row, rules),
  };
}

/** The state of a key as the rules read it. */
export function keyState(row: KeyRow, { maxOpenHolds }: SpendRules): KeyState {
  const ceilings = {} as KeyState["ceilings"];
  for (const name of CEILING_NAMES) ceilings[name] = unitsOrNull(row[name]);
  return {
    isAccountDisabled: row.is_account_disabled,
    isDisabled: row.is_disabled,
    isExpired: row.is_expired,
    ceilings,
    openHolds: { count: row.open_holds, most: maxOpenHolds },
    windows: {
      budget: windowOf(row.budget_limit, row.budget_spent, row.budget_held),
      daily_limit: windowOf(row.daily_limit_limit, row.daily_limit_spent, row.daily_limit_held),
      monthly_limit: windowOf(row.monthly_limit_limit, row.monthly_limit_spent, row.monthly_limit_held),
    },
    resetsAt: { daily_limit: row.day_resets_at, monthly_limit: row.month_resets_at, open_holds: row.hold_ends_at },
  };
}

function windowOf(limit: string | null, spent: string | null, held: string | null): WindowUse {
  return { limit: unitsOrNull(limit), spent: unitsOfDecimal(spent ?? "0"), held: unitsOfDecimal(held ?? "0") };
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
