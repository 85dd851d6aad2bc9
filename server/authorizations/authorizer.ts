import type { AccountId } from "../auth/account-id";
import type { SentBy } from "../auth/credential-queries";
import { KeyOwners, type KeyReference, nameOfKey } from "../auth/key-owner";
import { type KnownSpender, SpenderRefused } from "../auth/known-spenders";
import { accountServedBy, gatewayName, type Spender } from "../auth/spender";
import { BatchQueue } from "../batch-queue";
import type { Database } from "../db/client";
import { mayPassAlone } from "../db/failure";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { KEY_ID_FORM } from "../input/key-id";
import { newObjectId } from "../input/new-object-id";
import { hashKeyValueInHex, isKeyValue } from "../keys/key-value";
import { toAllDecimals } from "../limits/amount";
import { amountOf, unitsOf } from "../limits/units";
import type { Outcome } from "../outcome";
import type { Catalogue } from "../prices/catalogue";
import { Catalogues } from "../prices/catalogues";
import type { TokenUsage } from "../prices/cost";
import { AuthorizationKeys } from "./authorization-keys";
import { type Check, type Checked, readChecked } from "./checked-keys";
import type {
  HoldCall,
  HoldOutcome,
  SettledAuthorization,
  SettlingCall,
  SettlingOutcome,
  SpendOutcome,
} from "./decide";
import { type Asked, type KeyState, NO_ROOM } from "./judge";
import type { SpendRules } from "./key-rows";
import { KnownKeys } from "./known-keys";
import { type ModelCall, type Quote, type Quoted, quoteCall } from "./quote";
import { NO_DETAILS } from "./refusal";
import type { SentCall } from "./spend-calls";
import { type Decision, decideTogether } from "./spend-transaction";

/** What a call may cost: an amount in yuan, and prices in yuan per million tokens. */
export interface Cost {
  amount: number;
  inputPrice: number | undefined;
  outputPrice: number | undefined;
}

/** How a call names its key: by exactly one of the value, the hash of a value, and the id. */
export interface KeyNames {
  /** The whole key value. */
  apikey?: string | undefined;
  /** SHA-256 of the whole key value, in 64 hexadecimal digits. */
  apikeyHash?: string | undefined;
  /** The first 10 characters of the value. */
  apikeyId?: string | undefined;
  /** The account that the key must be of. With an id, a gateway must say it. */
  accountId?: string | undefined;
}

/** What a gateway asks for before a call. */
export type Call = (Cost | ModelCall) &
  KeyNames & {
    requestId: string | undefined;
    ttlSeconds: number;
  };

/** What a call really cost: an amount in yuan, or the tokens of an authorization by model. */
export type Capture = {
  /** ObjectId of the authorization. */
  id: string;
} & ({ amount: number } | { usage: TokenUsage });

/** The answer to a call. */
export interface Answer extends Omit<HoldOutcome, "verdict"> {
  verdict: Exclude<HoldOutcome["verdict"], "prices_changed">;
  /** Undefined where there is no key of that value. */
  key: KeyReference | undefined;
  /** What is held, or was asked for, in yuan; null where it is unknown: the model has no price, or there is no such key. */
  amount: number | null;
  /** What a call by model is priced by; undefined where it was asked for by an amount, or the model has no price. */
  quote: Quote | undefined;
}

/** What came of a capture or a void. `isNew`: this call settled the authorization, and not an earlier one. */
export type Settlement = Outcome<{ settled: SettledAuthorization; isNew: boolean }, Failure>;

/** A key, and how it stands to a call. */
export interface CheckedKey {
  keyId: string;
  state: KeyState;
  asked: Asked;
  /** Now, in whole seconds since 1970, by the database's clock. */
  now: number;
  quote: Quote | undefined;
  fault: Quoted["fault"];
}

/** The rules of an `Authorizer`, and how it makes its batches. */
export interface AuthorizerOptions extends SpendRules {
  /** The most calls that one transaction decides. Tests try other sizes. */
  mostAtOnce?: number;
}

const MOST_AT_ONCE = 64;
/** While one transaction waits for the disk, the next one is prepared. */
const LANES = 2;
/** How many transactions may wait for keys that others have locked, and how many of them for keys of one account. */
const LANES_OF_LOCKED = 4;
const LANES_OF_LOCKED_OF_ACCOUNT = 2;

const KEY_NOT_FOUND: Answer = {
  verdict: "key_not_found",
  usedState: null,
  key: undefined,
  authorizationId: null,
  replayedAmount: null,
  replayedQuote: null,
  amount: null,
  quote: undefined,
  expiresAt: null,
  refusal: NO_DETAILS,
  ...NO_ROOM,
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
 * All calls wait in one queue. When a transaction ends, the next one decides its part of what waits
 * (docs/decisions/batches.md#two-lanes): the calls of each key in their order, and calls of different keys together. A key
 * that another transaction has locked does not stop the others: its calls go to a second queue, where transactions wait for
 * locks.
 */
export class Authorizer {
  readonly rules: SpendRules;
  readonly #authorizationKeys: AuthorizationKeys;
  readonly #known = new KnownKeys();
  readonly #calls: BatchQueue<SentCall, Decision>;
  readonly #callsOfLocked: BatchQueue<SentCall, Decision>;
  readonly #checks: BatchQueue<Check, Checked>;

  constructor(
    private readonly db: Pick<Database, "lookUpPool" | "spendPool" | "distribution">,
    { maxOpenHolds, maxCaptureFactor, mostAtOnce = MOST_AT_ONCE }: AuthorizerOptions,
    private readonly catalogues: Catalogues = new Catalogues(db),
    private readonly keyOwners: KeyOwners = new KeyOwners(db),
  ) {
    this.rules = { maxOpenHolds, maxCaptureFactor };
    this.#authorizationKeys = new AuthorizationKeys(db);
    const shared = {
      nameOf: ({ key }: { key: KeyReference }) => nameOfKey(key),
      shardOf: ({ key }: { key: KeyReference }) => db.distribution.batchOf(key.accountId),
      mayTryAgain: mayPassAlone,
      mostAtOnce,
    };
    this.#calls = new BatchQueue<SentCall, Decision>({
      ...shared,
      queue: "authorizations",
      lanes: LANES,
      work: (calls) => this.#decide(calls),
    });
    this.#callsOfLocked = new BatchQueue<SentCall, Decision>({
      ...shared,
      queue: "authorizations_of_locked_keys",
      // One key at a time: who waits for a key holds no other. So a change of a group may lock its keys in any order.
      shardOf: ({ key }: { key: KeyReference }) => nameOfKey(key),
      lanes: LANES_OF_LOCKED,
      // A long change of many keys of one account must not keep the calls of others waiting.
      owners: { ownerOf: ({ key }: { key: KeyReference }) => key.accountId, lanes: LANES_OF_LOCKED_OF_ACCOUNT },
      work: (calls) => this.#decideLocked(calls),
    });
    this.#checks = new BatchQueue<Check, Checked>({
      ...shared,
      queue: "checks",
      lanes: LANES,
      work: (checks) => readChecked(db.spendPool, checks, this.rules, this.#knownOf()),
    });
  }

  /**
   * Holds an amount on a key, or says why not. See docs/api.md#authorize.
   * @param within the account whose keys count, or the gateway that asks for the keys of those that it serves.
   * @param sender who asks, where it was not recognised before. The transaction that decides proves it. Where there is nothing to
   *   decide on, as for a key that does not exist, it is not proved.
   * @throws {SpenderRefused} when its credential is not valid any more. Nothing is decided then.
   */
  async authorize(asking: Call, within: Spender, sender?: KnownSpender): Promise<Answer> {
    const found = await this.#findKey(asking, within);
    if (!found) return KEY_NOT_FOUND;
    const { key, value } = found;
    const { requestId, ttlSeconds } = asking;
    const modelCall = "model" in asking ? modelCallIn(asking) : undefined;
    const cost = modelCall ?? (asking as Cost);
    // What is known of the prices is compared with the database in the transaction that decides: no look-up goes before it.
    const known = modelCall && this.catalogues.known(key.accountId);
    let quoted = await this.#quote(cost, key.accountId, known?.catalogue);
    // Spreads that add properties cost more than this (docs/decisions/direct-invocation.md).
    let call: HoldCall & SentCall = {
      kind: "hold",
      key,
      id: newObjectId(),
      value,
      asked: quoted.asked,
      modelCall,
      quote: quoted.quote,
      fault: quoted.fault,
      known,
      requestId,
      ttlSeconds,
      gateway: gatewayName(within),
      sender,
    };
    let outcome = (await this.#decideOn(call)) as HoldOutcome;
    if (outcome.verdict === "prices_changed") {
      quoted = await this.#quote(cost, key.accountId);
      // Its sender is proved.
      call = { ...call, ...quoted, known: undefined, sender: undefined };
      outcome = (await this.#decideOn(call)) as HoldOutcome;
    }
    const { verdict } = outcome;
    if (verdict === "prices_changed") throw new Error("prices of this moment are not compared");
    if (verdict === "key_not_found") return KEY_NOT_FOUND;
    if (verdict === "granted") this.#authorizationKeys.note(call.id, key.keyId);
    const asked = quoted.asked.isAmountUnknown ? null : amountOf(quoted.asked.amount);
    return {
      key,
      ...outcome,
      verdict,
      amount: outcome.replayedAmount ?? asked,
      quote: outcome.replayedQuote ?? quoted.quote,
    };
  }

  /** Counts what a call really cost. The same capture twice counts once. See docs/api.md#capture. @param sender as of `authorize`. */
  async capture(accountId: AccountId, capture: Capture, sender?: KnownSpender): Promise<Settlement> {
    const { id } = capture;
    const cost = "usage" in capture ? capture.usage : unitsOf(capture.amount);
    return this.#settle(accountId, id, { kind: "capture", id, cost, sender });
  }

  /** Ends the hold of a call that was not made. See docs/api.md#void. @param sender as of `authorize`. */
  async void(accountId: AccountId, id: string, sender?: KnownSpender): Promise<Settlement> {
    return this.#settle(accountId, id, { kind: "void", id, sender });
  }

  /**
   * How a key stands to a call now. Nothing is held. See docs/api.md#check.
   * @param sender as of `authorize`.
   * @returns undefined when there is no such key, or it is revoked.
   */
  async check(
    names: KeyNames,
    cost: Cost | ModelCall,
    within: Spender,
    sender?: KnownSpender,
  ): Promise<CheckedKey | undefined> {
    const found = await this.#findKey(names, within);
    if (!found) return undefined;
    const { key, value } = found;
    const checked = unlessRefused(sender, await this.#checks.run({ key, byValue: value !== null, sender }));
    if (!checked || checked.state.isRevoked) return undefined;
    if (value !== null && !checked.state.values.includes(value)) return undefined;
    const quoted = await this.#quote(cost, key.accountId);
    return { keyId: key.keyId, ...checked, ...quoted };
  }

  async #settle(
    accountId: AccountId,
    id: string,
    call: SentBy & (SettlingCall extends infer Each ? (Each extends SettlingCall ? Omit<Each, "key"> : never) : never),
  ): Promise<Settlement> {
    const keyId = await this.#authorizationKeys.find(accountId, id);
    if (keyId === undefined) return { ok: false, reason: errors.noSuchAuthorization() };
    const outcome = (await this.#decideOn({ key: { accountId, keyId }, ...call })) as SettlingOutcome;
    if (!outcome) return { ok: false, reason: errors.noSuchAuthorization() };
    if ("settled" in outcome) return { ok: true, ...outcome };
    if ("fault" in outcome) {
      return {
        ok: false,
        reason: outcome.fault === "not_by_model" ? errors.authorizedByAmount() : errors.costTooLarge("usage"),
      };
    }
    const parameter = call.kind === "capture" && typeof call.cost !== "bigint" ? "usage" : "amount";
    const most = toAllDecimals(outcome.most);
    return { ok: false, reason: errors.captureTooLarge(parameter, most, this.rules.maxCaptureFactor ?? 0) };
  }

  /** What a call asks for. @param known undefined: a call by model is priced by the catalogue of this moment. */
  #quote(cost: Cost | ModelCall, accountId: AccountId, known?: Catalogue): Quoted | Promise<Quoted> {
    if (!("model" in cost)) return { asked: askedByAmount(cost), quote: undefined, fault: undefined };
    const { model } = cost;
    if (known) return quoteCall(cost, known.find(model));
    return this.catalogues.find(accountId).then((catalogue) => quoteCall(cost, catalogue.find(model)));
  }

  /** @throws {SpenderRefused} when the credential of the sender is not valid any more. */
  async #decideOn(call: SentCall): Promise<SpendOutcome> {
    return unlessRefused(call.sender, await this.#calls.run(call)).outcome;
  }

  async #decide(calls: SentCall[]): Promise<(Decision | Promise<Decision>)[]> {
    const decisions = await decideTogether(this.db.spendPool, calls, this.rules, false, this.#knownOf());
    return calls.map((call) => decisions.get(call) ?? this.#callsOfLocked.run(call));
  }

  async #decideLocked(calls: SentCall[]): Promise<Decision[]> {
    const decisions = await decideTogether(this.db.spendPool, calls, this.rules, true, this.#knownOf());
    return calls.map((call) => decisions.get(call) as Decision);
  }

  /** Rows that are distributed over several servers have no versions. */
  #knownOf(): KnownKeys | undefined {
    return this.db.distribution.isOnOneServer ? this.#known : undefined;
  }

  /**
   * The key that a call names, where the spender may name it, and the hash of its value. Whether the key exists and
   * the value is good is found out with the decision.
   */
  async #findKey(names: KeyNames, within: Spender): Promise<{ key: KeyReference; value: string | null } | undefined> {
    const { apikeyId, accountId } = names;
    if (apikeyId !== undefined) {
      const owner = accountServedBy(within, accountId ?? (typeof within === "string" ? within : ""));
      if (owner === undefined || !KEY_ID_FORM.test(apikeyId)) return undefined;
      return { key: { accountId: owner, keyId: apikeyId }, value: null };
    }
    const hash = hashOf(names);
    const key = hash && (await this.keyOwners.find(hash));
    if (!key || (accountId !== undefined && accountId !== key.accountId)) return undefined;
    return accountServedBy(within, key.accountId) === undefined ? undefined : { key, value: hash };
  }
}

/**
 * What came of a call. It proves the sender.
 * @throws {SpenderRefused} when the credential of the sender is not valid any more.
 */
function unlessRefused<Result>(sender: KnownSpender | undefined, result: Result | "sender_refused"): Result {
  if (result === "sender_refused") {
    sender?.refuse();
    throw new SpenderRefused("the credential is not valid any more");
  }
  sender?.prove();
  return result;
}

/** SHA-256 of the value that a call names its key by, in hexadecimal; undefined where no key can have such a value. */
function hashOf({ apikey, apikeyHash }: KeyNames): string | undefined {
  if (apikeyHash !== undefined) return apikeyHash.toLowerCase();
  return apikey !== undefined && isKeyValue(apikey) ? hashKeyValueInHex(apikey) : undefined;
}

/** Without the names of the key, which nothing that is kept may have. */
function modelCallIn({ model, inputTokens, maxOutputTokens }: ModelCall): ModelCall {
  return { model, inputTokens, maxOutputTokens };
}

/** What a call by an amount asks for. */
function askedByAmount({ amount, inputPrice, outputPrice }: Cost): Asked {
  return {
    amount: unitsOf(amount),
    input_price: inputPrice === undefined ? null : unitsOf(inputPrice),
    output_price: outputPrice === undefined ? null : unitsOf(outputPrice),
    isModelUnknown: false,
    isAmountUnknown: false,
  };
}
