import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { violatedConstraint } from "../db/failure";
import { newObjectId } from "../input/new-object-id";
import { hashKeyValue, isKeyValue } from "../keys/key-value";
import { Coalescer } from "./coalescer";
import {
  type Capture,
  captureOnKey,
  countRefusals,
  findAuthorization,
  findOwner,
  type Hold,
  type HoldOutcome,
  holdOnKey,
  releaseExpired,
  type Settled,
  type ValueOwner,
  voidOnKey,
} from "./queries";
import type { Refusal } from "./schema";

/** What is asked for: amounts in yuan, prices in yuan per million tokens. */
export interface Call {
  apikey: string;
  amount: number;
  inputPrice: number | undefined;
  outputPrice: number | undefined;
  requestId: string | undefined;
  ttlSeconds: number;
}

/** The answer to a call; `verdict` says whether and why. */
export interface Answer extends Omit<HoldOutcome, "verdict" | "must_release"> {
  verdict: "granted" | "known" | Refusal;
  /** The key; null where there is none of that value. */
  owner: (ValueOwner & { accountId: AccountId }) | null;
}

/** What came of a capture or a void: the authorization as it is, or undefined when there is none. */
export type Settlement = { settled: Settled; isNew: boolean } | undefined;

/** Most calls of one key that one statement decides. */
const MOST_AT_ONCE = 64;
/** How often a statement is tried again, when another process made an authorization of the same request meanwhile. */
const ATTEMPTS = 5;
const MOST_REMEMBERED = 50_000;

const NOTHING_KNOWN = {
  authorization_id: null,
  known_amount: null,
  expires_at: null,
  budget_left: null,
  day_left: null,
  month_left: null,
};

/**
 * Decides on spend. Calls of one key that arrive while it is being decided on are decided together, by one statement:
 * the row of a busy key is locked once for all of them.
 */
export class AuthorizationDesk {
  /** The key of each value: it never changes. Whether the value is still good is asked every time. */
  readonly #owners = new Map<string, ValueOwner>();
  /** The key of each authorization: it never changes either. */
  readonly #keys = new Map<string, string>();
  readonly #holds: Coalescer<Hold, HoldOutcome | undefined>;
  readonly #captures: Coalescer<Capture, Settled | undefined>;

  constructor(private readonly db: Database) {
    this.#holds = new Coalescer((key, holds) => this.#holdAll(splitKey(key), holds), MOST_AT_ONCE);
    this.#captures = new Coalescer((key, captures) => this.#captureAll(splitKey(key), captures), MOST_AT_ONCE);
  }

  /**
   * Holds an amount on the key of a value, or says why not.
   * @param within the account whose keys count; undefined: every account's, for a gateway of the operator.
   */
  async authorize(call: Call, within: AccountId | undefined): Promise<Answer> {
    const owner = isKeyValue(call.apikey) ? await this.#ownerOf(call.apikey) : undefined;
    if (!owner || (within !== undefined && owner.accountId !== within)) {
      return { ...NOTHING_KNOWN, verdict: "key_not_found", owner: null };
    }
    const { amount, inputPrice, outputPrice, requestId, ttlSeconds } = call;
    const hash = hashKeyValue(call.apikey);
    const hold = { id: newObjectId(), hash, amount, inputPrice, outputPrice, requestId, ttlSeconds };
    const outcome = await this.#holds.run(joinKey(owner), hold);
    if (!outcome || outcome.verdict === "key_not_found" || outcome.verdict === "later") {
      return { ...NOTHING_KNOWN, verdict: "key_not_found", owner: null };
    }
    if (outcome.verdict === "granted") remember(this.#keys, hold.id, owner.keyId);
    return { ...outcome, verdict: outcome.verdict, owner };
  }

  /** Counts what a call really cost. The same capture twice counts once; `isNew` tells which it was. */
  async capture(accountId: AccountId, capture: Capture): Promise<Settlement> {
    const keyId = await this.#keyOf(accountId, capture.id);
    if (keyId === undefined) return undefined;
    const settled = await this.#captures.run(joinKey({ accountId, keyId }), capture);
    return settled ? { settled, isNew: true } : this.#asItIs(accountId, capture.id);
  }

  /** Ends a hold that nothing came of. */
  async void(accountId: AccountId, id: string): Promise<Settlement> {
    const keyId = await this.#keyOf(accountId, id);
    if (keyId === undefined) return undefined;
    const settled = await voidOnKey(this.db, { accountId, keyId }, id);
    return settled ? { settled, isNew: true } : this.#asItIs(accountId, id);
  }

  async #asItIs(accountId: AccountId, id: string): Promise<Settlement> {
    const settled = await findAuthorization(this.db, accountId, id);
    return settled && { settled, isNew: false };
  }

  async #holdAll(key: KeyOfAccount, holds: Hold[]): Promise<(HoldOutcome | undefined)[]> {
    const outcomes = new Map<Hold, HoldOutcome | undefined>();
    let waiting = holds;
    while (waiting.length > 0) {
      const { now, later } = oneOfEachRequest(waiting);
      const results = await this.#holdOnce(key, now);
      if (results[0]?.must_release) {
        await releaseExpired(this.db, key.accountId, key.keyId);
        continue;
      }
      for (const [i, hold] of now.entries()) if (results[i]?.verdict !== "later") outcomes.set(hold, results[i]);
      waiting = [...now.filter((hold) => !outcomes.has(hold)), ...later];
    }
    await this.#settleRefusals(key, outcomes);
    return holds.map((hold) => outcomes.get(hold));
  }

  /** Counts the refusals among the outcomes, and makes those known whose request has its authorization by now. */
  async #settleRefusals(key: KeyOfAccount, outcomes: Map<Hold, HoldOutcome | undefined>): Promise<void> {
    const refused = [...outcomes].flatMap(([{ requestId }, outcome]) => {
      const code = outcome && refusalOf(outcome);
      return code ? [{ code, requestId }] : [];
    });
    if (refused.length === 0) return;
    const known = new Map((await countRefusals(this.db, key, refused)).map((each) => [each.request_id, each]));
    for (const [hold, outcome] of outcomes) {
      const authorization = known.get(hold.requestId ?? "");
      if (authorization && outcome && refusalOf(outcome)) {
        outcomes.set(hold, { ...outcome, ...authorization, verdict: "known" });
      }
    }
  }

  async #holdOnce(key: KeyOfAccount, holds: Hold[]): Promise<HoldOutcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await holdOnKey(this.db, key, holds);
      } catch (error) {
        const isRace = violatedConstraint(error) === "authorization_account_id_key_id_request_id_key";
        if (!isRace || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #captureAll(key: KeyOfAccount, captures: Capture[]): Promise<(Settled | undefined)[]> {
    // Of several for one authorization the first counts; the others find it settled.
    const first = new Map<string, Capture>();
    for (const capture of captures) if (!first.has(capture.id)) first.set(capture.id, capture);
    const settled = await captureOnKey(this.db, key, [...first.values()]);
    const byId = new Map(settled.map((each) => [each.id, each]));
    return captures.map((capture) => (first.get(capture.id) === capture ? byId.get(capture.id) : undefined));
  }

  async #ownerOf(value: string): Promise<(ValueOwner & { accountId: AccountId }) | undefined> {
    const hash = hashKeyValue(value);
    const name = hash.toString("base64");
    const known = this.#owners.get(name) ?? (await findOwner(this.db, hash));
    if (known) remember(this.#owners, name, known);
    // Whoever presents a value of a key may spend of it: that proves the account for this purpose.
    return known as (ValueOwner & { accountId: AccountId }) | undefined;
  }

  async #keyOf(accountId: AccountId, id: string): Promise<string | undefined> {
    const known = this.#keys.get(id);
    if (known !== undefined) {
      this.#keys.delete(id);
      return known;
    }
    return (await findAuthorization(this.db, accountId, id))?.keyId;
  }
}

interface KeyOfAccount {
  accountId: AccountId;
  keyId: string;
}

function joinKey({ accountId, keyId }: ValueOwner): string {
  return `${accountId} ${keyId}`;
}

function splitKey(key: string): KeyOfAccount {
  const [accountId = "", keyId = ""] = key.split(" ");
  return { accountId: accountId as AccountId, keyId };
}

/** Two holds of one request must not be made by one statement: the second waits, and finds the first. */
function oneOfEachRequest(holds: Hold[]): { now: Hold[]; later: Hold[] } {
  const seen = new Set<string>();
  const later: Hold[] = [];
  const now = holds.filter((hold) => {
    if (hold.requestId === undefined || !seen.has(hold.requestId)) {
      if (hold.requestId !== undefined) seen.add(hold.requestId);
      return true;
    }
    later.push(hold);
    return false;
  });
  return { now, later };
}

/** Why a hold was refused, where that is to be counted: a key that is not there has no counts. */
function refusalOf({ verdict }: HoldOutcome): Refusal | undefined {
  return verdict === "granted" || verdict === "known" || verdict === "later" || verdict === "key_not_found"
    ? undefined
    : verdict;
}

/** Keeps the most recent ones. */
function remember<Value>(memory: Map<string, Value>, name: string, value: Value): void {
  memory.delete(name);
  memory.set(name, value);
  if (memory.size > MOST_REMEMBERED) {
    const [oldest] = memory.keys();
    if (oldest !== undefined) memory.delete(oldest);
  }
}
