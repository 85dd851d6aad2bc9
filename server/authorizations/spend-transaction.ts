import type { Pool, PoolClient } from "pg";
import { SpendCredentials } from "../auth/credential-queries";
import { type KeyReference, namesOf } from "../auth/key-owner";
import { BEGIN, type BoundStatement, bound, COMMIT, sendTogether } from "../db/pipeline";
import { atTime } from "../input/new-object-id";
import { countSpendTransaction } from "../metrics/authorizations";
import {
  type Changes,
  decide,
  type LockedKey,
  type SpendCall,
  type SpendOutcome,
  type StoredAuthorizations,
} from "./decide";
import { lockedKey, type SpendRules } from "./key-rows";
import type { KnownKeys } from "./known-keys";
import {
  groupByKey,
  isByValue,
  type KeyCalls,
  mustRelease,
  placesOf,
  reading,
  requestsOf,
  type SentCall,
  valuesOf,
} from "./spend-calls";
import { type DecidedKey, writesOf } from "./spend-writing";
import { LOCK_FREE_KEYS, LOCK_KEYS, READ_WAIT } from "./statements/lock-keys";
import { type ComparedRow, STOP_FOR_USED_REQUESTS } from "./statements/lock-known-keys";
import { LOCK_AUTHORIZATIONS } from "./statements/read-authorizations";
import type { KeyRow, LockedKeyRow } from "./statements/read-keys";
import { releaseLocked } from "./statements/release-expired";
import { INSERTIONS_ON_ONE_SERVER, INSERTIONS_ON_SEVERAL_SERVERS, type Insertions } from "./statements/write-spend";

/** `sender_refused`: the credential of its sender is not valid, and nothing was decided. */
export type Decision = { outcome: SpendOutcome } | "sender_refused";

/**
 * What came of each call. Where a call is missing, nothing was decided, because others would wait for its key: another transaction
 * has locked it, or very many of its holds have expired.
 */
export type Decisions = ReadonlyMap<SentCall, Decision>;

/**
 * Decides on calls of any keys in one transaction: locks and reads the keys, decides (`decide.ts`), and writes. The
 * statements of a step are sent in one piece, so that the transaction takes two round trips. Where all keys are known, it
 * takes one: what is known decides, and the piece that writes compares it with the rows first. The transaction also asks
 * whether the credentials of the senders are valid, where that was not asked before.
 * @param waits whether to wait for keys that another transaction has locked, and to release very many holds. Otherwise calls of these
 *   keys are not decided.
 * @param known undefined: every key is read, because the rows may be distributed over several servers.
 */
export async function decideTogether(
  pool: Pool,
  calls: readonly SentCall[],
  rules: SpendRules,
  waits: boolean,
  known?: KnownKeys,
): Promise<Decisions> {
  const groups = groupByKey(calls);
  const credentials = new SpendCredentials(calls);
  const client = await pool.connect();
  let broken = false;
  try {
    const decisions = waits ? undefined : await decideKnown(client, groups, credentials, rules, known);
    return decisions ?? (await readAndDecide(client, groups, credentials, rules, waits, known));
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

/** Decides by what is known. Undefined: that is too little or was not so, and nothing was written. */
async function decideKnown(
  client: PoolClient,
  groups: readonly KeyCalls[],
  credentials: SpendCredentials,
  rules: SpendRules,
  known: KnownKeys | undefined,
): Promise<Decisions | undefined> {
  const sentAt = performance.now();
  const batch = known?.find(groups, sentAt);
  if (!known || !batch) return undefined;
  const deciding = new Deciding(rules, INSERTIONS_ON_ONE_SERVER);
  const noting = batch.groups.map((group) => {
    const { key, calls, stored } = group;
    const changes = deciding.decide(key, group.known.state, calls, { byId: stored, byRequest: new Map() });
    return (written: ComparedRow) => known.noteChanges(group, changes, written);
  });
  const requests = requestsOf(groups);
  const stopping = requests.length > 0 ? bound(STOP_FOR_USED_REQUESTS, valuesOf(requests)) : undefined;
  const stops = [stopping, ...credentials.stopping()] as const;
  const statements = [BEGIN, batch.comparing, ...stops, ...deciding.writes(), COMMIT] as const;
  const [, [compared], used, invalidCallers, invalidTokens] = await sendTogether(client, statements);
  if (!compared) return undefined;
  known.learnClock(compared.moment, sentAt);
  known.learnComparison(batch, compared);
  const isDecided = compared.are_known && used.length + invalidCallers.length + invalidTokens.length === 0;
  countSpendTransaction(isDecided ? "known" : "changed");
  if (!isDecided) return undefined;
  for (const note of noting) note(compared);
  return deciding.outcomes;
}

/**
 * The moment of a decision is that at which its transaction began. After a longer wait for a lock, that is too long ago: a hold
 * could have ended before it is answered. Then the same is decided in a new transaction.
 */
const LONGEST_WAIT_SECONDS = 1;
const MOST_REPEATS = 2;

async function readAndDecide(
  client: PoolClient,
  groups: readonly KeyCalls[],
  credentials: SpendCredentials,
  rules: SpendRules,
  waits: boolean,
  known: KnownKeys | undefined,
  repeats = MOST_REPEATS,
): Promise<Decisions> {
  const locking = bound(waits ? LOCK_KEYS : LOCK_FREE_KEYS, namesOf(groups));
  const { statements, keep } = reading(groups, known !== undefined);
  const sentAt = performance.now();
  const finding = credentials.finding();
  const [, locked, wait, callers, gateways, ...rows] = await sendTogether(client, [
    BEGIN,
    locking,
    waits ? bound(READ_WAIT, []) : undefined,
    ...finding,
    ...statements,
  ]);
  if (repeats > 0 && wait.some(({ seconds }) => seconds > LONGEST_WAIT_SECONDS)) {
    // COMMIT would keep the lock until the disk has it.
    await client.query("ROLLBACK");
    return readAndDecide(client, groups, credentials, rules, waits, known, repeats - 1);
  }
  keep(rows);
  const mayBeDecided = credentials.judge(callers, gateways);
  const isLocked = new Set(locked.map(({ place }) => place));
  // A key that does not exist has no row to lock.
  const decidable = waits ? groups : groups.filter(({ row }, i) => isLocked.has(i + 1) || !row);
  const hasExpired = decidable.filter((group) => mustRelease(group, mayBeDecided));
  if (hasExpired.length > 0) {
    // The decision changes the rows of these keys too, and no transaction changes one twice (`RELEASE_EXPIRED`).
    const left = new Set<KeyCalls>();
    for (const group of hasExpired) if (await releaseLocked(client, group.key)) left.add(group);
    await sendTogether(client, [COMMIT]);
    const others = waits ? groups : groups.filter((group) => !left.has(group));
    return readAndDecide(client, others, credentials, rules, waits, known, repeats);
  }
  const deciding = new Deciding(rules, known ? INSERTIONS_ON_ONE_SERVER : INSERTIONS_ON_SEVERAL_SERVERS);
  deciding.refuse(groups, mayBeDecided);
  await keepFromDeletion(client, decidable);
  const noting: (() => void)[] = [];
  for (const group of decidable) {
    const { name, key, calls, row, stored, prices } = group;
    const state = row && lockedKey(row, rules, prices);
    const changes = deciding.decide(key, state, calls, stored);
    if (!known || !state || !isVersioned(row)) continue;
    noting.push(() => known.noteRead(name, row, state, isByValue(group), changes));
    known.learnClock(row.moment, sentAt);
  }
  await sendTogether(client, [...deciding.writes(), COMMIT]);
  countSpendTransaction("read");
  for (const note of noting) note();
  return deciding.outcomes;
}

function isVersioned(row: KeyRow): row is LockedKeyRow {
  return "version" in row;
}

/** The decisions on the keys of a transaction. */
class Deciding {
  readonly outcomes = new Map<SentCall, Decision>();
  readonly #decided: DecidedKey[] = [];

  constructor(
    private readonly rules: SpendRules,
    private readonly insertions: Insertions,
  ) {}

  /** @param state undefined: there is no such key. */
  decide(
    key: KeyReference,
    state: LockedKey | undefined,
    calls: readonly SpendCall[],
    stored: StoredAuthorizations,
  ): Changes {
    // Activity is listed by the time in the id, which must not be that of a process whose clock is wrong.
    if (state) for (const call of calls) if (call.kind === "hold") call.id = atTime(call.id, state.now);
    const { outcomes, changes } = decide(state, calls, stored, this.rules.maxCaptureFactor);
    for (const [i, call] of calls.entries()) this.outcomes.set(call, { outcome: outcomes[i] });
    if (state) this.#decided.push({ key, state, changes });
    return changes;
  }

  /** Takes the calls away whose senders have no right to a decision. */
  refuse(groups: readonly KeyCalls[], mayBeDecided: (call: SentCall) => boolean): void {
    for (const group of groups) {
      const refused = group.calls.filter((call) => !mayBeDecided(call));
      if (refused.length === 0) continue;
      for (const call of refused) this.outcomes.set(call, "sender_refused");
      group.calls = group.calls.filter(mayBeDecided);
    }
  }

  /** The statements that write what the decisions change. */
  writes(): BoundStatement[] {
    return writesOf(this.#decided, this.insertions);
  }
}

/**
 * The upkeep deletes what was settled long ago, and does not lock the key for that. Of this, only an authorization that has expired
 * can still be captured. It is locked, so that it stays until the capture is written; one that is gone does not exist.
 */
async function keepFromDeletion(client: PoolClient, groups: readonly KeyCalls[]): Promise<void> {
  const expired = groups.flatMap(({ key, calls, stored: { byId } }) =>
    calls.flatMap(({ kind, id }) =>
      kind === "capture" && byId.get(id)?.state === "expired" ? [{ key, id, found: byId }] : [],
    ),
  );
  if (expired.length === 0) return;
  const [locked] = await sendTogether(client, [bound(LOCK_AUTHORIZATIONS, placesOf(expired))]);
  const isLocked = new Set(locked.map(({ place }) => place));
  for (const [i, { id, found }] of expired.entries()) if (!isLocked.has(i + 1)) found.delete(id);
}
