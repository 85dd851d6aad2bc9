import { expect } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Answer, Authorizer, Settlement } from "../authorizations/authorizer";
import { checkLimits } from "../authorizations/judge";
import { releaseExpired } from "../authorizations/statements/release-expired";
import type { Database } from "../db/client";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import type { Refusal } from "../keys/schema";
import { limitsOf } from "../limits/apply";
import { database, keyInsertion, newAccount } from "./database";
import type { FakeClock } from "./fake-clock";
import {
  type ModelAuthorization,
  type ModelCall,
  type ModelEstimate,
  type ModelPrices,
  type ModelUsage,
  nameInCatalogue,
  SpendModel,
  type SpendModelRules,
  sum,
  toDecimal,
  toNano,
} from "./spend-model";

const DAY = 24 * 3600 * 1000;
/** What is asked for where only the numbers of a check are compared. */
const ONE_YUAN = { amount: 1, inputPrice: undefined, outputPrice: undefined };

/** Something that happens to a key. `process` and `which` choose one of the authorizers, and one of the authorizations. */
export type Step =
  | {
      kind: "hold";
      process: number;
      amount: number;
      inputPrice: number | undefined;
      /** Instead of the amount and the price. */
      estimate?: ModelEstimate;
      request: string | undefined;
      ttl: number;
    }
  | {
      kind: "capture";
      process: number;
      which: number;
      amount: number;
      /** Instead of the amount. */
      usage?: ModelUsage;
    }
  | { kind: "check"; process: number }
  /** The price of a model from now on; undefined: it has none. */
  | { kind: "prices"; name: string; prices: ModelPrices | undefined }
  | { kind: "void"; process: number; which: number }
  | { kind: "limits"; budget: number; daily: number; monthly: number; inputPrice: number; days: number }
  | { kind: "disabled"; isDisabled: boolean }
  | { kind: "zone"; zone: string }
  | { kind: "clock"; by: number }
  | { kind: "tidy" }
  | { kind: "at once"; steps: Step[] };

/** What the keys of a run share. */
export interface Surroundings {
  clock: FakeClock;
  /** Each is as another process. */
  sides: Authorizer[];
  /** Sees the clock. */
  database: Database;
  /** The rules of the authorizers. */
  rules: SpendModelRules;
}

/** One key, and the model of it. Each step is done to both, and their answers are compared. */
export class Bench {
  static async make(around: Surroundings, beginning: string, zone: string): Promise<Bench> {
    const account = await newAccount();
    const accountId = account.account_id;
    const { id, value } = makeKeyValue("sk-");
    const by = { kind: "command_line", name: "test", address: null } as const;
    const limits = limitsOf({});
    await keyInsertion.insert(accountId, by, { id, hash: hashKeyValue(value), name: "n", groupId: null, limits });
    const bench = new Bench(around, accountId, id, value, new SpendModel(Date.parse(beginning), zone, around.rules));
    await bench.take({ kind: "zone", zone });
    await bench.take({ kind: "clock", by: 0 });
    return bench;
  }

  private constructor(
    private readonly around: Surroundings,
    private readonly accountId: AccountId,
    private readonly keyId: string,
    private readonly value: string,
    private readonly model: SpendModel,
  ) {}

  async take(step: Step): Promise<void> {
    const { model } = this;
    switch (step.kind) {
      case "hold": {
        const call = this.callOf(step);
        const isRepeated = model.authorizations.some(
          ({ request }) => request !== undefined && request === step.request,
        );
        const expected = model.judge(call);
        const check = await this.check(step);
        const answer = await this.authorize(step);
        expect(answer.verdict).toBe(expected.verdict);
        if (expected.verdict === "used") {
          expect(answer.usedState).toBe(expected.state);
          return;
        }
        // A check takes no request_id. A repeated request is allowed even if the limits are lower now, and one by a model has the
        // prices of its authorization, so it may differ.
        if (expected.verdict !== "replayed" && !(isRepeated && step.estimate))
          expect(check ?? "granted").toBe(expected.verdict);
        if (expected.verdict === "granted") {
          model.grant(answer.authorizationId ?? "", call);
          expect(answer.expiresAt).toBe(Math.floor(expected.expiresAt / 1000));
          expect(toNano(answer.amount ?? -1)).toBe(call.amount);
        } else if (expected.verdict === "replayed") {
          expect(answer.authorizationId).toBe(expected.authorization.id);
          expect(toNano(answer.replayedAmount ?? -1)).toBe(expected.authorization.amount);
        } else {
          model.refuse(expected.verdict);
        }
        const left = model.left();
        expect([answer.left.budget, answer.left.daily_limit, answer.left.monthly_limit]).toEqual(
          [left.budget, left.daily, left.monthly].map((nano) => (nano === null ? null : Number(toDecimal(nano)))),
        );
        return;
      }
      case "capture": {
        const authorization = this.pick(step.which);
        if (!authorization) return;
        const settlement = await this.capture(step, authorization.id);
        const cost = this.costOf(step, authorization);
        if (cost === undefined) {
          expect(settlement).toMatchObject(BY_AMOUNT);
          return;
        }
        if (model.isOpen(authorization) && model.isTooMuch(authorization, cost)) {
          expect(settlement).toMatchObject(TOO_MUCH);
          return;
        }
        const counts = model.capture(authorization, cost, step.usage);
        expect(settlement).toMatchObject({ isNew: counts, settled: this.settled(authorization) });
        return;
      }
      case "void": {
        const authorization = this.pick(step.which);
        if (!authorization) return;
        model.void(authorization);
        const settlement = await this.side(step).void(this.accountId, authorization.id);
        expect(settlement).toMatchObject({ settled: this.settled(authorization) });
        return;
      }
      case "check":
        await this.compareCheck(step);
        return;
      case "limits": {
        const { budget, daily, monthly, inputPrice, days } = step;
        const expiryDate =
          days === 9999 ? null : new Date(Date.parse(model.today()) + days * DAY).toISOString().slice(0, 10);
        model.limits = {
          budget: toNano(budget),
          daily: toNano(daily),
          monthly: toNano(monthly),
          inputPrice: toNano(inputPrice),
          expiryDate,
        };
        await this.change(
          "budget = NULLIF($3::numeric, 0), daily_limit = $4, monthly_limit = $5, input_price_limit = $6, expiry_date = $7",
          [budget, daily, monthly, inputPrice, expiryDate],
        );
        return;
      }
      case "prices":
        await this.setPrices(step.name, step.prices);
        return;
      case "disabled":
        model.isDisabled = step.isDisabled;
        await this.change("disabled_at = CASE WHEN $3::boolean THEN now() END", [step.isDisabled]);
        return;
      case "zone":
        model.zone = step.zone;
        await database.pool.query("UPDATE account SET time_zone = $2 WHERE id = $1", [this.accountId, step.zone]);
        return;
      case "clock":
        model.time += step.by;
        await this.around.clock.set(new Date(model.time));
        return;
      case "tidy":
        model.expire();
        await releaseExpired(this.around.database.lookUpPool, { accountId: this.accountId, keyId: this.keyId });
        return;
      case "at once":
        await this.takeAtOnce(step.steps);
    }
  }

  /** The order of these calls is unknown, so only their common result is compared. */
  private async takeAtOnce(steps: Step[]): Promise<void> {
    const { model } = this;
    const before = [...model.authorizations];
    const held = new Set(before.filter(({ state, expiresAt }) => state === "held" && expiresAt > model.time));
    const done = await Promise.all(
      steps.map(async (step) => {
        if (step.kind === "hold") return { step, answer: await this.authorize(step) };
        if (step.kind === "check") {
          expect(await this.side(step).check({ apikey: this.value }, ONE_YUAN, this.accountId)).toBeDefined();
          return { step };
        }
        if (step.kind !== "capture" && step.kind !== "void") throw new Error(step.kind);
        const authorization = this.pick(step.which);
        if (!authorization) return { step };
        const { id } = authorization;
        return step.kind === "capture"
          ? {
              step,
              authorization,
              settlement: await this.capture(step, id),
            }
          : { step, authorization, settlement: await this.side(step).void(this.accountId, id) };
      }),
    );
    let exceeding = false;
    let releasing = false;
    for (const { step, authorization, settlement } of done) {
      if (!authorization || !settlement) continue;
      const cost = step.kind === "capture" ? this.costOf(step, authorization) : undefined;
      if (!settlement.ok) {
        expect(settlement).toMatchObject(cost === undefined ? BY_AMOUNT : TOO_MUCH);
        expect(step.kind === "capture" && (cost === undefined || model.isTooMuch(authorization, cost))).toBe(true);
      }
      if (!settlement.ok || !settlement.isNew) continue;
      releasing = true;
      if (step.kind === "capture") {
        exceeding = true;
        expect(model.isTooMuch(authorization, cost ?? 0n)).toBe(false);
        expect(model.capture(authorization, cost ?? 0n, step.usage)).toBe(true);
      } else model.void(authorization);
    }
    if (done.some(({ answer }) => answer)) {
      const open = model.held();
      model.expire();
      releasing ||= model.held() !== open;
    }
    for (const { step, answer } of done) {
      if (answer?.verdict === "granted" && step.kind === "hold")
        model.grant(answer.authorizationId ?? "", this.callOf(step));
    }
    const left = model.left();
    const isGranted = done.some(({ step, answer }) => answer?.verdict === "granted" && step.kind === "hold");
    for (const each of [left.budget, left.daily, left.monthly]) {
      if (isGranted && !exceeding && each !== null) expect(each >= 0n).toBe(true);
    }
    const granted = done.filter(({ answer }) => answer?.verdict === "granted").length;
    expect(model.openHolds()).toBeLessThanOrEqual(this.around.rules.maxOpenHolds);
    for (const { step, answer } of done) {
      if (!answer || step.kind !== "hold") continue;
      const ofKey = model.obstacleOfKey(this.callOf(step));
      if (ofKey !== undefined) expect(answer.verdict).toBe(ofKey);
      if (answer.verdict === "granted") continue;
      if (answer.verdict === "replayed" || answer.verdict === "used") {
        const [known, ...others] = model.authorizations.filter(({ request }) => request === step.request);
        expect([known !== undefined, others]).toEqual([true, []]);
        if (!known) continue;
        if (answer.verdict === "replayed") {
          expect([known.id, held.has(known) || !before.includes(known)]).toEqual([answer.authorizationId, true]);
        } else {
          const mayBecome = answer.usedState === "expired" ? ["expired", "captured"] : [answer.usedState];
          expect(mayBecome).toContain(known.state);
        }
        continue;
      }
      model.refuse(answer.verdict as Refusal);
      const least = { budget: left.budget, daily_limit: left.daily, monthly_limit: left.monthly }[
        answer.verdict as string
      ];
      if (!releasing && least !== undefined) expect(toNano(step.amount) > (least ?? -1n)).toBe(true);
      if (answer.verdict === "open_holds") {
        expect(held.size + granted).toBeGreaterThanOrEqual(this.around.rules.maxOpenHolds);
      }
      // A repeated request needs no room.
      if (ofKey !== undefined) continue;
      expect(before.filter(({ request }) => request !== undefined && request === step.request)).toEqual([]);
    }
  }

  /** Compares everything that is stored with the model. */
  async compare(): Promise<void> {
    const { model } = this;
    const { rows } = await database.pool.query(
      `SELECT key.open_holds, key.spent::text, key.held::text, key.day::text, key.day_spent::text, key.day_held::text,
          key.month::text, key.month_spent::text, key.month_held::text,
          (SELECT coalesce(jsonb_object_agg(id, jsonb_build_array(state, amount::text, captured::text, overrun, late, day,
              quote ->> 'model', usage)), '{}')
            FROM "authorization" WHERE account_id = $1 AND key_id = $2) AS authorizations,
          (SELECT coalesce(jsonb_object_agg(authorization_id, jsonb_build_array(amount::text, overrun, late, day, model,
              input_tokens, cached_input_tokens, output_tokens)), '{}')
            FROM ledger WHERE account_id = $1 AND key_id = $2) AS ledger,
          (SELECT coalesce(jsonb_object_agg(day, jsonb_build_array(spent::text, captures)), '{}')
            FROM key_day WHERE account_id = $1 AND key_id = $2) AS days,
          (SELECT coalesce(jsonb_object_agg(day || ' ' || model, jsonb_build_array(spent::text, captures, input_tokens,
              cached_input_tokens, output_tokens)), '{}')
            FROM model_day WHERE account_id = $1 AND key_id = $2) AS model_days,
          (SELECT coalesce(jsonb_object_agg(day || ' ' || code, count), '{}')
            FROM refusal_day WHERE account_id = $1 AND key_id = $2) AS refusals
        FROM api_key key WHERE account_id = $1 AND id = $2`,
      [this.accountId, this.keyId],
    );
    const day = model.lastDay;
    const isDay = (other: string) => other === day;
    const isMonth = (other: string) => other.slice(0, 7) === day?.slice(0, 7);
    const captured = model.authorizations.filter(({ state }) => state === "captured");
    const days = [...new Set(captured.map((each) => each.day))];
    const daysByModel = new Set(captured.flatMap((each) => (each.estimate ? [`${each.day} ${modelOf(each)}`] : [])));
    expect(rows[0]).toEqual({
      open_holds: model.openHolds(),
      spent: toDecimal(model.spent()),
      held: toDecimal(model.held()),
      day: day ?? null,
      day_spent: toDecimal(model.spent(isDay)),
      day_held: toDecimal(model.held(isDay)),
      month: day === undefined ? null : `${day.slice(0, 7)}-01`,
      month_spent: toDecimal(model.spent(isMonth)),
      month_held: toDecimal(model.held(isMonth)),
      authorizations: Object.fromEntries(
        model.authorizations.map((each) => [
          each.id,
          [
            each.state,
            toDecimal(each.amount),
            each.captured === undefined ? null : toDecimal(each.captured),
            each.overrun,
            each.late,
            each.day,
            modelOf(each),
            each.usage
              ? {
                  input_tokens: each.usage.input,
                  cached_input_tokens: each.usage.cached,
                  output_tokens: each.usage.output,
                }
              : null,
          ],
        ]),
      ),
      ledger: Object.fromEntries(
        captured.map((each) => [
          each.id,
          [
            ...[toDecimal(each.captured ?? 0n), each.overrun, each.late, each.day, modelOf(each)],
            ...[each.usage?.input ?? null, each.usage?.cached ?? null, each.usage?.output ?? null],
          ],
        ]),
      ),
      model_days: Object.fromEntries(
        [...daysByModel].map((name) => {
          const of = captured.filter((each) => `${each.day} ${modelOf(each)}` === name);
          const tokens = (kind: keyof ModelUsage) => of.reduce((all, { usage }) => all + (usage?.[kind] ?? 0), 0);
          const spent = toDecimal(sum(of.map((each) => each.captured ?? 0n)));
          return [name, [spent, of.length, tokens("input"), tokens("cached"), tokens("output")]];
        }),
      ),
      days: Object.fromEntries(
        days.map((name) => {
          const of = captured.filter((each) => each.day === name);
          return [name, [toDecimal(sum(of.map((each) => each.captured ?? 0n))), of.length]];
        }),
      ),
      refusals: Object.fromEntries(model.refusals),
    });
  }

  private authorize(step: Step & { kind: "hold" }): Promise<Answer> {
    return this.side(step).authorize(
      { apikey: this.value, ...askedBy(step), requestId: step.request, ttlSeconds: step.ttl },
      this.accountId,
    );
  }

  private capture({ process, amount, usage }: Step & { kind: "capture" }, id: string): Promise<Settlement> {
    const cost = usage
      ? { usage: { inputTokens: usage.input, cachedInputTokens: usage.cached, outputTokens: usage.output } }
      : { amount };
    return this.side({ process }).capture(this.accountId, { id, ...cost });
  }

  /** What a capture costs; undefined: it has tokens, and the authorization was asked for by an amount. */
  private costOf({ amount, usage }: Step & { kind: "capture" }, authorization: ModelAuthorization): bigint | undefined {
    return usage ? this.model.costOf(authorization, usage) : toNano(amount);
  }

  private callOf({ amount, inputPrice, estimate, request, ttl: ttlSeconds }: Step & { kind: "hold" }): ModelCall {
    if (estimate) return this.model.byModel(estimate, request, ttlSeconds);
    const price = inputPrice === undefined ? undefined : toNano(inputPrice);
    return { amount: toNano(amount), estimate, prices: undefined, inputPrice: price, request, ttlSeconds };
  }

  /** Writes a price as a change of the catalogue does: the version grows in the same transaction. */
  private async setPrices(name: string, prices: ModelPrices | undefined): Promise<void> {
    if (prices) this.model.prices.set(name, prices);
    else this.model.prices.delete(name);
    const { input, output, cached } = prices ?? { input: 0n, output: 0n, cached: 0n };
    await database.pool.query(
      `WITH deleted AS (DELETE FROM account_price WHERE account_id = $1 AND name = $2 AND NOT $3),
        written AS (
          INSERT INTO account_price (account_id, id, name, aliases, input_price, output_price, cached_input_price)
          SELECT $1, substr(md5($2), 1, 24), $2, CASE WHEN $2 = 'named' THEN ARRAY['alias'] ELSE '{}' END, $4, $5, $6 WHERE $3
          ON CONFLICT (account_id, name, valid_from) DO UPDATE SET input_price = EXCLUDED.input_price,
            output_price = EXCLUDED.output_price, cached_input_price = EXCLUDED.cached_input_price
        )
        UPDATE account SET prices_version = prices_version + 1 WHERE id = $1`,
      [this.accountId, name, prices !== undefined, toDecimal(input), toDecimal(output), toDecimal(cached)],
    );
  }

  /** The first obstacle, as a check sees it. */
  private async check(step: Step & { kind: "hold" }): Promise<string | undefined> {
    const key = await this.side(step).check({ apikey: this.value }, askedBy(step), this.accountId);
    if (!key) return "key_not_found";
    return checkLimits(key.state, key.asked).find(({ passes }) => !passes)?.code;
  }

  /** A check changes nothing, and counts no hold that has expired. */
  private async compareCheck(step: Step & { kind: "check" }): Promise<void> {
    const { model } = this;
    const key = await this.side(step).check({ apikey: this.value }, ONE_YUAN, this.accountId);
    const limits = key ? checkLimits(key.state, key.asked) : [];
    const limitOf = (name: string) => limits.find(({ code }) => code === name);
    const isOpen = ({ expiresAt }: ModelAuthorization) => expiresAt > model.time;
    const left = model.left(isOpen);
    expect({
      isDisabled: limitOf("key_disabled")?.passes === false,
      isExpired: limitOf("key_expired")?.passes === false,
      openHolds: limitOf("open_holds")?.held,
      left: ["budget", "daily_limit", "monthly_limit"].map((name) => limitOf(name)?.available),
    }).toEqual({
      isDisabled: model.isDisabled,
      isExpired: model.isExpired(),
      openHolds: model.openHolds(isOpen),
      left: [left.budget, left.daily, left.monthly].map((nano) => (nano === null ? null : Number(toDecimal(nano)))),
    });
  }

  private change(set: string, values: unknown[]): Promise<unknown> {
    return database.pool.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, [
      this.accountId,
      this.keyId,
      ...values,
    ]);
  }

  private pick(which: number) {
    // The later ones are more interesting.
    return this.model.authorizations.at(-1 - which);
  }

  private side({ process }: { process: number }): Authorizer {
    return this.around.sides[process] as Authorizer;
  }

  private settled({ id, state, captured, overrun, late }: ModelAuthorization) {
    return { id, state, captured: captured === undefined ? null : Number(toDecimal(captured)), overrun, late };
  }
}

const TOO_MUCH = { ok: false, reason: { code: "capture_too_large" } };
const BY_AMOUNT = { ok: false, reason: { code: "authorized_by_amount" } };

function askedBy({ amount, inputPrice, estimate }: Step & { kind: "hold" }) {
  if (!estimate) return { amount, inputPrice, outputPrice: undefined };
  return { model: estimate.name, inputTokens: estimate.input, maxOutputTokens: estimate.output };
}

/** The model that an authorization counts for. */
function modelOf({ estimate }: ModelAuthorization): string | null {
  if (!estimate) return null;
  return estimate.name === "alias" ? nameInCatalogue(estimate.name) : estimate.name;
}
