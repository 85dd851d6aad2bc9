import type { AccountId } from "../auth/account-id";
import { findKeyOwner, type KeyReference } from "../auth/key-owner";
import type { Database } from "../db/client";
import { violatedConstraint } from "../db/failure";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { newObjectId } from "../input/new-object-id";
import { hashKeyValue, isKeyValue } from "../keys/key-value";
import type { Refusal } from "../keys/schema";
import type { Outcome } from "../outcome";
import { Coalescer } from "./coalescer";
import { RecentMap } from "./recent-map";
import { type Capture, capture } from "./statements/capture";
import { countRefusals } from "./statements/count-refusals";
import { findAuthorization, type SettledAuthorization } from "./statements/find-authorization";
import { type Hold, type HoldOutcome, hold, type Verdict } from "./statements/hold";
import { releaseExpired } from "./statements/release-expired";
import { voidHold } from "./statements/void";

/** What a gateway asks for before a call: amounts in yuan, prices in yuan per million tokens. */
export interface Call extends Omit<Hold, "id" | "hash"> {
  /** The whole key value. */
  apikey: string;
}

/** The answer to a call. */
export interface Answer extends HoldOutcome {
  verdict: Exclude<Verdict, "undecided">;
  /** Undefined where there is no key of that value. */
  key: KeyReference | undefined;
}

/** What came of a capture or a void. `isNew`: this call settled the authorization, and not an earlier one. */
export type Settlement = Outcome<{ settled: SettledAuthorization; isNew: boolean }, Failure>;

/** The largest number of calls on one key that one statement decides. */
const MOST_AT_ONCE = 64;
/** How often a hold is tried again when another process made an authorization of the same request meanwhile. */
const ATTEMPTS = 5;
const MOST_REMEMBERED = 50_000;

const KEY_NOT_FOUND: Answer = {
  verdict: "key_not_found",
  key: undefined,
  authorizationId: null,
  replayedAmount: null,
  expiresAt: null,
  left: { budget: null, daily_limit: null, monthly_limit: null },
};

/**
 * Decides on spend. An authorization holds an amount on one key. It is in one of four states:
 *
 * - `held`: from `authorize` on. The amount counts against the limits of the key.
 * - `captured`: `capture` counted what the call cost, and ended the hold. This state is final.
 * - `voided`: `void` ended the hold. This state is final.
 * - `expired`: the time of the hold is over. The next hold on the key, `void` or the upkeep writes this state; the hold
 *   counts no more from the moment it expires. An expired authorization can still be captured, and is then `late`.
 *
 * Calls for one key that arrive while a statement works on that key wait, and one statement decides on all of them: the
 * row of a busy key is locked once for many calls.
 */
export class Authorizer {
  /** Which key a value belongs to, by the hash of the value. This never changes. Whether the value is valid is asked each time. */
  readonly #keysOfValues = new RecentMap<string, KeyReference>(MOST_REMEMBERED);
  /** Which key an authorization is on. This never changes either. */
  readonly #keysOfAuthorizations = new RecentMap<string, string>(MOST_REMEMBERED);
  readonly #holds: Coalescer<KeyReference, Hold, HoldOutcome | undefined>;
  readonly #captures: Coalescer<KeyReference, Capture, SettledAuthorization | undefined>;

  constructor(private readonly db: Pick<Database, "pool">) {
    const nameOf = ({ accountId, keyId }: KeyReference) => `${accountId} ${keyId}`;
    const shared = { nameOf, mostAtOnce: MOST_AT_ONCE };
    this.#holds = new Coalescer({ ...shared, work: (key, holds) => this.#holdAll(key, holds) });
    this.#captures = new Coalescer({ ...shared, work: (key, captures) => this.#captureAll(key, captures) });
  }

  /**
   * Holds an amount on the key of a value, or says why not. See docs/api.md#authorize.
   * @param within the account whose keys count. Undefined: the keys of every account, for a gateway of the operator.
   */
  async authorize({ apikey, ...asked }: Call, within: AccountId | undefined): Promise<Answer> {
    if (!isKeyValue(apikey)) return KEY_NOT_FOUND;
    const hash = hashKeyValue(apikey);
    const key = await this.#keyOfValue(hash);
    if (!key || (within !== undefined && key.accountId !== within)) return KEY_NOT_FOUND;
    const id = newObjectId();
    const outcome = await this.#holds.run(key, { id, hash, ...asked });
    if (!isDecided(outcome) || outcome.verdict === "key_not_found") return KEY_NOT_FOUND;
    if (outcome.verdict === "granted") this.#keysOfAuthorizations.set(id, key.keyId);
    return { ...outcome, key };
  }

  /** Counts what a call really cost. The same capture twice counts once. See docs/api.md#capture. */
  async capture(accountId: AccountId, captured: Capture): Promise<Settlement> {
    return this.#settle(accountId, captured.id, (key) => this.#captures.run(key, captured));
  }

  /** Ends the hold of a call that was not made. See docs/api.md#void. */
  async void(accountId: AccountId, id: string): Promise<Settlement> {
    return this.#settle(accountId, id, (key) => voidHold(this.db.pool, key, id));
  }

  /** Settles an open authorization. One that is not open any more is answered as it is. */
  async #settle(
    accountId: AccountId,
    id: string,
    settle: (key: KeyReference) => Promise<SettledAuthorization | undefined>,
  ): Promise<Settlement> {
    // A settled authorization is rarely asked for again, so it need not be remembered any longer.
    const keyId = this.#keysOfAuthorizations.take(id) ?? (await findAuthorization(this.db.pool, accountId, id))?.keyId;
    if (keyId === undefined) return { ok: false, reason: errors.noSuchAuthorization() };
    const settled = await settle({ accountId, keyId });
    if (settled) return { ok: true, settled, isNew: true };
    const earlier = await findAuthorization(this.db.pool, accountId, id);
    if (!earlier) return { ok: false, reason: errors.noSuchAuthorization() };
    return { ok: true, settled: earlier, isNew: false };
  }

  async #holdAll(key: KeyReference, holds: Hold[]): Promise<(HoldOutcome | undefined)[]> {
    const outcomes = new Map<Hold, HoldOutcome | undefined>();
    let waiting = holds;
    while (waiting.length > 0) {
      const { now, later } = oneOfEachRequest(waiting);
      const results = await this.#holdOnce(key, now);
      if (results === "must release") {
        await releaseExpired(this.db.pool, key);
        continue;
      }
      for (const [i, asked] of now.entries()) if (results[i]?.verdict !== "undecided") outcomes.set(asked, results[i]);
      waiting = [...now.filter((asked) => !outcomes.has(asked)), ...later];
    }
    await this.#countRefusals(key, outcomes);
    return holds.map((asked) => outcomes.get(asked));
  }

  /** Counts the refusals among the outcomes. A refused request that has its authorization by now becomes `replayed`. */
  async #countRefusals(key: KeyReference, outcomes: Map<Hold, HoldOutcome | undefined>): Promise<void> {
    const refused = [...outcomes].flatMap(([{ requestId }, outcome]) => {
      const code = outcome && refusalOf(outcome);
      return code ? [{ code, requestId }] : [];
    });
    if (refused.length === 0) return;
    const found = await countRefusals(this.db.pool, key, refused);
    const replayed = new Map(found.map(({ requestId, ...authorization }) => [requestId, authorization]));
    for (const [asked, outcome] of outcomes) {
      const authorization = replayed.get(asked.requestId ?? "");
      if (authorization && outcome && refusalOf(outcome)) {
        outcomes.set(asked, { ...outcome, ...authorization, verdict: "replayed" });
      }
    }
  }

  async #holdOnce(key: KeyReference, holds: Hold[]): Promise<HoldOutcome[] | "must release"> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await hold(this.db.pool, key, holds);
      } catch (error) {
        const isRace = violatedConstraint(error) === "authorization_account_id_key_id_request_id_key";
        if (!isRace || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #captureAll(key: KeyReference, captures: Capture[]): Promise<(SettledAuthorization | undefined)[]> {
    // Of several captures of one authorization the first counts. The others find it settled.
    const first = new Map<string, Capture>();
    for (const captured of captures) if (!first.has(captured.id)) first.set(captured.id, captured);
    const settled = await capture(this.db.pool, key, [...first.values()]);
    const byId = new Map(settled.map((each) => [each.id, each]));
    return captures.map((captured) => (first.get(captured.id) === captured ? byId.get(captured.id) : undefined));
  }

  async #keyOfValue(hash: Buffer): Promise<KeyReference | undefined> {
    const name = hash.toString("base64");
    const key = this.#keysOfValues.get(name) ?? (await findKeyOwner(this.db.pool, hash));
    if (key) this.#keysOfValues.set(name, key);
    return key;
  }
}

/** Two holds of one request must not be in one statement: the second waits, and then finds the first. */
function oneOfEachRequest(holds: Hold[]): { now: Hold[]; later: Hold[] } {
  const seen = new Set<string>();
  const later: Hold[] = [];
  const now = holds.filter((asked) => {
    if (asked.requestId === undefined) return true;
    if (!seen.has(asked.requestId)) {
      seen.add(asked.requestId);
      return true;
    }
    later.push(asked);
    return false;
  });
  return { now, later };
}

function isDecided(outcome: HoldOutcome | undefined): outcome is HoldOutcome & Pick<Answer, "verdict"> {
  return outcome !== undefined && outcome.verdict !== "undecided";
}

/** Why a hold was refused, where the refusal is counted. A key that does not exist has no counts. */
function refusalOf({ verdict }: HoldOutcome): Exclude<Refusal, "key_not_found"> | undefined {
  switch (verdict) {
    case "granted":
    case "replayed":
    case "undecided":
    case "key_not_found":
      return undefined;
    default:
      return verdict;
  }
}
