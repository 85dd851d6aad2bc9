import type { KeyReference } from "../auth/key-owner";
import type { Refusal } from "../keys/schema";
import { WINDOWS, type Window } from "../limits/schema";
import { amountOf, amountOrNull, type Units, unitsOf } from "../limits/units";
import { areCurrent, type KnownCatalogue } from "../prices/catalogues";
import { costOfUsage, type TokenUsage } from "../prices/cost";
import type { PricesState } from "../prices/statements/read-prices";
import { type Asked, type KeyState, NO_ROOM, obstacleOfKey, obstacleOfRoom, type Room, roomOf } from "./judge";
import { askedOf, isSameCall, isStorable, type ModelCall, type Quote, type QuoteFault } from "./quote";
import { detailsOf, NO_DETAILS, type RefusedPrice, refusedPrice } from "./refusal";
import type { AuthorizationState, RefusalDetails } from "./schema";

// The decisions on spend, without the database: what the calls of one key do to it, one after the other. The order of the
// calls is the order in which they came.

/** A call that asks for a hold. */
export interface HoldCall {
  kind: "hold";
  key: KeyReference;
  /** ObjectId of the authorization to be, or of the refusal. It begins with the time of its decision, by the database's clock. */
  id: string;
  /** SHA-256 of the key value that was presented, in hexadecimal; `null`: the key was named by its id. */
  value: string | null;
  asked: Asked;
  /** The model and the tokens of a call that is not asked for by an amount. */
  modelCall: ModelCall | undefined;
  /** What such a call is priced by; undefined: the model has no price. */
  quote: Quote | undefined;
  fault: QuoteFault | undefined;
  /** The prices that it was priced by, where these have to be compared with the ones of now. */
  known: KnownCatalogue | undefined;
  requestId: string | undefined;
  ttlSeconds: number;
  /** The name of the gateway that asks; null: the account itself. */
  gateway: string | null;
}

/** A call that was refused, with the price and the ceiling where these refused it. */
export type RefusedCall = HoldCall & RefusedPrice;

/** What a call really cost: an amount, or tokens that the quote of its authorization prices. */
type Cost = Units | TokenUsage;

/** A call that ends a hold: with what it really cost, or unused. */
export type SettlingCall =
  | { kind: "capture"; key: KeyReference; id: string; cost: Cost }
  | { kind: "void"; key: KeyReference; id: string };

export type SpendCall = HoldCall | SettlingCall;

/** A key as it is before the calls. Its row is locked then. A check reads the same without a lock. */
export interface LockedKey extends KeyState {
  isRevoked: boolean;
  /** The hashes of its values that are good now, in hexadecimal. */
  values: readonly string[];
  /** The day and the first day of the month that the key is in, YYYY-MM-DD. Its windows count these. */
  day: string;
  month: string;
  /** Now, in whole seconds since 1970, by the database's clock. */
  now: number;
  /** How new the prices are; undefined where no call is by a model. */
  prices: PricesState | undefined;
}

/** An authorization that is stored. */
export interface StoredAuthorization {
  id: string;
  amount: Units;
  state: AuthorizationState;
  /** The day and the month it counts in. */
  day: string;
  month: string;
  /** When its hold ends by itself, in whole seconds since 1970. */
  expiresAt: number;
  /** Whether that time is over. */
  isOver: boolean;
  captured: Units | null;
  overrun: boolean;
  late: boolean;
  /** What it is priced by; null: it was asked for by an amount. */
  quote: Quote | null;
  /** The tokens that it was captured with; null: none, or it was captured with an amount. */
  usage: TokenUsage | null;
}

/** What an authorization is when it holds nothing any more. */
type ClosedState = Exclude<AuthorizationState, "held">;

/**
 * The answer to a hold. `prices_changed`: nothing is decided, because it was priced by prices of before. `replayed`: the
 * request has its authorization already, and that is still held. `used`: it had one, and that is not held any more. The room
 * is that after this hold.
 */
export interface HoldOutcome extends Room {
  verdict: "granted" | "replayed" | "used" | "prices_changed" | QuoteFault | Refusal;
  /** What the authorization of a used request has become. */
  usedState: ClosedState | null;
  /** Of a granted or a replayed hold. */
  authorizationId: string | null;
  /** What the authorization of a replayed request holds, in yuan. */
  replayedAmount: number | null;
  /** What the authorization of a replayed request is priced by; null: it was asked for by an amount. */
  replayedQuote: Quote | null;
  /** When the hold ends by itself, in whole seconds since 1970. */
  expiresAt: number | null;
  /** The numbers of a refusal. */
  refusal: RefusalDetails | null;
}

/** What an authorization has become. */
export interface SettledAuthorization {
  id: string;
  state: AuthorizationState;
  /** Yuan. */
  captured: number | null;
  /** More was captured than was held. */
  overrun: boolean;
  /** It was captured after the hold had ended by itself. */
  late: boolean;
  quote: Quote | null;
  usage: TokenUsage | null;
}

/**
 * What came of a capture or a void. `isNew`: this call settled the authorization, and not an earlier one. `most`: the capture
 * is refused, because it is above this amount in yuan. `not_by_model`: tokens, of an authorization that has no quote.
 * Undefined: there is no such authorization.
 */
export type SettlingOutcome =
  | { settled: SettledAuthorization; isNew: boolean }
  | { most: number }
  | { fault: "not_by_model" | "cost_too_large" }
  | undefined;

export type SpendOutcome = HoldOutcome | SettlingOutcome;

/** What the calls change. Everything of it is written in one transaction. */
export interface Changes {
  /** The counters as they are after the calls; undefined when none changes. */
  counters: Pick<KeyState, "windows" | "openHolds"> | undefined;
  /** The authorizations to insert. */
  granted: HoldCall[];
  /** The stored authorizations that are not what they were, by their id. */
  settled: Map<string, StoredAuthorization>;
  /** The calls that each reason refused, in their order. */
  refusals: Map<Refusal, RefusedCall[]>;
}

/** Which stored authorizations the calls name, by their own id or by that of a request. */
export interface StoredAuthorizations {
  byId: ReadonlyMap<string, StoredAuthorization>;
  byRequest: ReadonlyMap<string, StoredAuthorization>;
}

/**
 * Decides on the calls of one key, in their order.
 * @param key undefined: there is no such key.
 * @param maxCaptureFactor a capture may be at most so many times its hold; undefined: any amount.
 * @returns an outcome for each call, and what is to be written.
 */
export function decide(
  key: LockedKey | undefined,
  calls: readonly SpendCall[],
  stored: StoredAuthorizations,
  maxCaptureFactor: number | undefined,
): { outcomes: SpendOutcome[]; changes: Changes } {
  const decider = new KeyDecider(key, stored, maxCaptureFactor);
  const outcomes = calls.map((call) => (call.kind === "hold" ? decider.hold(call) : decider.settle(call)));
  return { outcomes, changes: decider.changes };
}

const NOT_FOUND: HoldOutcome = {
  verdict: "key_not_found",
  usedState: null,
  authorizationId: null,
  replayedAmount: null,
  replayedQuote: null,
  expiresAt: null,
  refusal: NO_DETAILS,
  ...NO_ROOM,
};

/** Decides on the calls of one key, one after the other. */
class KeyDecider {
  readonly changes: Changes = { counters: undefined, granted: [], settled: new Map(), refusals: new Map() };
  readonly #key: LockedKey | undefined;
  /** The authorizations of requests that were granted here. */
  readonly #granted = new Map<string, HoldCall>();

  constructor(
    key: LockedKey | undefined,
    private readonly stored: StoredAuthorizations,
    private readonly maxCaptureFactor: number | undefined,
  ) {
    const copyOf = (name: Window, { windows }: LockedKey) => ({ ...windows[name] });
    this.#key = key && {
      ...key,
      openHolds: { ...key.openHolds },
      resetsAt: { ...key.resetsAt },
      windows: {
        budget: copyOf("budget", key),
        daily_limit: copyOf("daily_limit", key),
        monthly_limit: copyOf("monthly_limit", key),
      },
    };
  }

  /** See docs/api.md#authorize. */
  hold(call: HoldCall): HoldOutcome {
    const key = this.#key;
    if (!key || key.isRevoked || !(call.value === null || key.values.includes(call.value))) return NOT_FOUND;
    if (call.known && !(key.prices && areCurrent(call.known, key.prices))) {
      return { ...NOT_FOUND, verdict: "prices_changed" };
    }
    const earlier = call.requestId === undefined ? undefined : this.#findRequest(call.requestId, key);
    const asked = this.#askedOf(call, earlier);
    const ofKey = obstacleOfKey(key, asked);
    if (ofKey !== undefined) return this.#refuse(key, call, ofKey, asked);
    if (earlier) return earlier;
    if (call.fault) return { ...NOT_FOUND, verdict: call.fault, ...roomOf(key) };
    const ofRoom = obstacleOfRoom(key, call.asked);
    if (ofRoom !== undefined) return this.#refuse(key, call, ofRoom);
    for (const name of WINDOWS) key.windows[name].held += call.asked.amount;
    key.openHolds.count++;
    const expiresAt = key.now + call.ttlSeconds;
    key.resetsAt.open_holds = Math.min(key.resetsAt.open_holds ?? expiresAt, expiresAt);
    this.changes.counters = key;
    this.changes.granted.push(call);
    if (call.requestId !== undefined) this.#granted.set(call.requestId, call);
    const { left, openHolds } = roomOf(key);
    return { ...NOT_FOUND, verdict: "granted", authorizationId: call.id, expiresAt, refusal: null, left, openHolds };
  }

  /** The prices of a request that has its authorization already are fixed, whatever the catalogue says now. */
  #askedOf({ asked, modelCall }: HoldCall, earlier: HoldOutcome | undefined): Asked {
    const quote = earlier?.replayedQuote;
    return quote && modelCall && isSameCall(quote.call, modelCall) ? askedOf(quote) : asked;
  }

  #refuse(key: LockedKey, call: HoldCall, verdict: Refusal, asked = call.asked): HoldOutcome {
    const { refusals } = this.changes;
    const refused = refusals.get(verdict) ?? [];
    refusals.set(verdict, refused);
    const { price, ceiling } = refusedPrice(verdict, key, asked);
    refused.push({ price, ceiling, ...call });
    return { ...NOT_FOUND, verdict, refusal: detailsOf(verdict, key, asked), ...roomOf(key) };
  }

  /** See docs/api.md#capture and docs/api.md#void. */
  settle(call: SettlingCall): SettlingOutcome {
    const before = this.#current(this.stored.byId.get(call.id));
    if (!before || !this.#key) return undefined;
    if (call.kind === "capture") {
      const cost = priced(before, call.cost);
      if (!cost) return { fault: "not_by_model" };
      if (canBeCaptured(before)) {
        const most = this.#mostOf(before);
        if (most !== undefined && cost.amount > most) return { most: amountOf(most) };
        if (!isStorable(cost.amount)) return { fault: "cost_too_large" };
      }
      return this.#become(this.#key, before, captured(before, cost));
    }
    return this.#become(this.#key, before, voided(before));
  }

  /** @param after undefined: it was settled before. */
  #become(key: LockedKey, before: StoredAuthorization, after: StoredAuthorization | undefined): SettlingOutcome {
    if (!after) return { settled: answerOf(before), isNew: false };
    this.#count(key, before, after);
    this.changes.settled.set(before.id, after);
    return { settled: answerOf(after), isNew: true };
  }

  /** Ends the hold in the counters, and adds what was captured. A counter of a day or a month that is over stays as it is. */
  #count(key: LockedKey, before: StoredAuthorization, after: StoredAuthorization): void {
    const isHeld = before.state === "held";
    const released = isHeld ? before.amount : 0n;
    // Never below 0: a process of an older version, which runs beside this one during an upgrade, does not count.
    if (isHeld) key.openHolds.count = Math.max(0, key.openHolds.count - 1);
    const counts = { budget: true, daily_limit: before.day === key.day, monthly_limit: before.month === key.month };
    for (const name of WINDOWS) {
      if (!counts[name]) continue;
      key.windows[name].held -= released;
      key.windows[name].spent += after.captured ?? 0n;
    }
    this.changes.counters = key;
  }

  /** The most that may be captured of an authorization; undefined: any amount. A factor has at most nine decimals. */
  #mostOf({ amount }: StoredAuthorization): Units | undefined {
    return this.maxCaptureFactor === undefined ? undefined : (amount * unitsOf(this.maxCaptureFactor)) / unitsOf(1);
  }

  /** An authorization as the calls before this one have left it. */
  #current(stored: StoredAuthorization | undefined): StoredAuthorization | undefined {
    return stored && (this.changes.settled.get(stored.id) ?? stored);
  }

  /** The answer to a request that has its authorization already; undefined when it has none. */
  #findRequest(requestId: string, key: LockedKey): HoldOutcome | undefined {
    const replayed = (id: string, amount: Units, quote: Quote | null, expiresAt: number): HoldOutcome => ({
      verdict: "replayed",
      usedState: null,
      authorizationId: id,
      replayedAmount: amountOf(amount),
      replayedQuote: quote,
      expiresAt,
      refusal: null,
      ...roomOf(key),
    });
    const granted = this.#granted.get(requestId);
    if (granted) {
      return replayed(granted.id, granted.asked.amount, granted.quote ?? null, key.now + granted.ttlSeconds);
    }
    const earlier = this.#current(this.stored.byRequest.get(requestId));
    if (!earlier) return undefined;
    const { id, amount, quote, state, expiresAt, isOver } = earlier;
    if (state === "held" && !isOver) return replayed(id, amount, quote, expiresAt);
    return { ...NOT_FOUND, verdict: "used", refusal: null, usedState: state === "held" ? "expired" : state };
  }
}

/** Whether an authorization was neither captured nor voided before. What has expired can be captured, late. */
function canBeCaptured({ state }: StoredAuthorization): boolean {
  return state === "held" || state === "expired";
}

/** What a call cost, in yuan; undefined: it is in tokens, and the authorization has no prices for them. */
function priced({ quote }: StoredAuthorization, cost: Cost): { amount: Units; usage: TokenUsage | null } | undefined {
  if (typeof cost === "bigint") return { amount: cost, usage: null };
  return quote ? { amount: costOfUsage(quote.prices, cost), usage: cost } : undefined;
}

/** An authorization after a capture; undefined when it was settled before. */
function captured(
  before: StoredAuthorization,
  { amount, usage }: { amount: Units; usage: TokenUsage | null },
): StoredAuthorization | undefined {
  if (!canBeCaptured(before)) return undefined;
  return {
    ...before,
    state: "captured",
    captured: amount,
    usage,
    overrun: amount > before.amount,
    late: before.state === "expired" || before.isOver,
  };
}

/** An authorization after a void; undefined when it was settled before. What has expired stays expired: it holds nothing. */
function voided(before: StoredAuthorization): StoredAuthorization | undefined {
  if (before.state !== "held") return undefined;
  return { ...before, state: before.isOver ? "expired" : "voided" };
}

function answerOf({ id, state, captured, overrun, late, quote, usage }: StoredAuthorization): SettledAuthorization {
  return { id, state, captured: amountOrNull(captured), overrun, late, quote, usage };
}
