import type { KeyReference } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { type BoundStatement, bound } from "../db/pipeline";
import type { Statement } from "../db/statement";
import type { Refusal } from "../keys/schema";
import { decimalOf, decimalOrNull, type Units } from "../limits/units";
import type { TokenUsage } from "../prices/cost";
import type { Changes, HoldCall, LockedKey, RefusedCall, StoredAuthorization } from "./decide";
import { quoteJson, storedUsage } from "./quote";
import { INSERT_REFUSALS, type Insertions, SETTLE_AUTHORIZATIONS, WRITE_COUNTERS } from "./statements/write-spend";

/** A locked key with what its calls change. */
export interface DecidedKey {
  key: KeyReference;
  /** As it was before the calls. What they change counts in its day and its month. */
  state: LockedKey;
  changes: Changes;
}

/** The statements that write what the decisions change, in their order: none for a table that does not change. */
export function writesOf(keys: readonly DecidedKey[], insertions: Insertions): BoundStatement[] {
  const writing = new Writing(insertions);
  for (const decided of keys) {
    writing.count(decided);
    for (const call of decided.changes.granted) writing.grant(decided, call);
    for (const settled of decided.changes.settled.values()) writing.settle(decided, settled);
    for (const [code, calls] of decided.changes.refusals) writing.refuse(decided, code, calls);
  }
  return writing.statements();
}

/** The rows of all statements. The columns of each row are those of the statement. */
class Writing {
  readonly #counters = new Rows(WRITE_COUNTERS);
  readonly #authorizations: Rows;
  readonly #settled = new Rows(SETTLE_AUTHORIZATIONS);
  readonly #ledger: Rows;
  readonly #days = new Map<string, CapturedDay>();
  readonly #modelDays = new Map<string, CapturedModelDay>();
  readonly #refusalCounts: Rows;
  readonly #refusals = new Rows(INSERT_REFUSALS);

  constructor(private readonly insertions: Insertions) {
    this.#authorizations = new Rows(insertions.authorizations);
    this.#ledger = new Rows(insertions.ledger);
    this.#refusalCounts = new Rows(insertions.refusalCounts);
  }

  count({ key, state: { day, month }, changes: { counters, granted } }: DecidedKey): void {
    if (!counters) return;
    const { budget, daily_limit: daily, monthly_limit: monthly } = counters.windows;
    this.#counters.add(
      key.accountId,
      key.keyId,
      decimalOf(budget.spent),
      decimalOf(budget.held),
      day,
      decimalOf(daily.spent),
      decimalOf(daily.held),
      month,
      decimalOf(monthly.spent),
      decimalOf(monthly.held),
      counters.openHolds.count,
      granted.length === 0 ? null : Math.min(...granted.map(({ ttlSeconds }) => ttlSeconds)),
    );
  }

  grant(
    { key, state: { day, month } }: DecidedKey,
    { id, requestId, asked, ttlSeconds, gateway, quote }: HoldCall,
  ): void {
    this.#authorizations.add(
      key.accountId,
      id,
      key.keyId,
      requestId ?? null,
      decimalOf(asked.amount),
      day,
      month,
      ttlSeconds,
      gateway,
      quote ? quoteJson(quote) : null,
    );
  }

  settle({ key }: DecidedKey, settled: StoredAuthorization): void {
    const { id, state, captured, overrun, late, usage } = settled;
    this.#settled.add(
      key.accountId,
      id,
      state,
      decimalOrNull(captured),
      overrun,
      late,
      usage ? JSON.stringify(storedUsage(usage)) : null,
    );
    if (state === "captured" && captured !== null) this.#capture(key, settled, captured);
  }

  #capture({ accountId, keyId }: KeyReference, settled: StoredAuthorization, amount: Units): void {
    const { id, day, overrun, late, quote, usage } = settled;
    this.#ledger.add(
      accountId,
      id,
      keyId,
      day,
      decimalOf(amount),
      overrun,
      late,
      quote?.model ?? null,
      usage?.inputTokens ?? null,
      usage?.cachedInputTokens ?? null,
      usage?.outputTokens ?? null,
    );
    const name = `${accountId} ${keyId} ${day}`;
    const total = this.#days.get(name) ?? { accountId, keyId, day, spent: 0n, captures: 0 };
    this.#days.set(name, total);
    total.spent += amount;
    total.captures++;
    if (!quote) return;
    const { model } = quote;
    const nameByModel = `${name} ${model}`;
    const ofModel = this.#modelDays.get(nameByModel) ?? { accountId, keyId, day, model, ...NOTHING };
    this.#modelDays.set(nameByModel, ofModel);
    ofModel.spent += amount;
    ofModel.captures++;
    ofModel.inputTokens += usage?.inputTokens ?? 0;
    ofModel.cachedInputTokens += usage?.cachedInputTokens ?? 0;
    ofModel.outputTokens += usage?.outputTokens ?? 0;
  }

  refuse(
    { key: { accountId, keyId }, state: { day } }: DecidedKey,
    code: Refusal,
    calls: readonly RefusedCall[],
  ): void {
    this.#refusalCounts.add(accountId, keyId, day, code, calls.length);
    for (const [i, { id, asked, requestId, gateway, modelCall, quote, price, ceiling }] of calls.entries()) {
      this.#refusals.add(
        accountId,
        keyId,
        day,
        code,
        calls.length - 1 - i,
        id,
        asked.isAmountUnknown ? null : decimalOf(asked.amount),
        requestId ?? null,
        gateway,
        quote?.model ?? modelCall?.model ?? null,
        decimalOrNull(price),
        decimalOrNull(ceiling),
      );
    }
  }

  /** What a key spent on a day stands in one row, also after several captures. */
  statements(): BoundStatement[] {
    const days = new Rows(this.insertions.days);
    for (const { accountId, keyId, day, spent, captures } of this.#days.values()) {
      days.add(accountId, keyId, day, decimalOf(spent), captures);
    }
    const modelDays = new Rows(this.insertions.modelDays);
    for (const total of this.#modelDays.values()) {
      const { accountId, keyId, day, model, spent, captures } = total;
      const { inputTokens, cachedInputTokens, outputTokens } = total;
      const tokens = [inputTokens, cachedInputTokens, outputTokens] as const;
      modelDays.add(accountId, keyId, day, model, decimalOf(spent), captures, ...tokens);
    }
    // The single refusals come after their counts, from which each reads its number.
    const rows = [this.#counters, this.#authorizations, this.#settled, this.#ledger, days, modelDays];
    return [...rows, this.#refusalCounts, this.#refusals].flatMap((each) => each.statement() ?? []);
  }
}

interface CapturedDay extends KeyReference {
  day: string;
  spent: Units;
  captures: number;
}

/** Tokens that are not known add nothing. */
interface CapturedModelDay extends CapturedDay, TokenUsage {
  model: string;
}

const NOTHING = { spent: 0n, captures: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** Rows for a statement that takes one array for each column. */
class Rows {
  readonly #columns: (string | number | boolean | null)[][];

  constructor(private readonly of: Statement<object>) {
    this.#columns = of.parameters.map(() => []);
  }

  add(...row: (string | number | boolean | null)[]): void {
    for (let i = 0; i < row.length; i++) this.#columns[i]?.push(row[i] ?? null);
  }

  /** Undefined without a row. */
  statement(): BoundStatement | undefined {
    return this.#columns[0]?.length ? bound(this.of, this.#columns.map(arrayParameter)) : undefined;
  }
}
