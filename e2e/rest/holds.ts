import { beforeAll, beforeEach, expect } from "vitest";
import { type Account, call, database, newAccount, newKey } from "./client";

/** What a capture or a void of an authorization that does not exist is answered. */
export const GONE = {
  status: 404,
  body: { success: false, error: "authorization_id: the authorization does not exist" },
};

/** A key with a budget of 100, which is new before each test of a file, and what tests do with its holds. */
export class Holds {
  account!: Account;
  /** Another account. */
  stranger!: Account;
  key!: { apikey: string; id: string };

  constructor() {
    beforeAll(async () => {
      this.account = await newAccount();
      this.stranger = await newAccount();
    });
    beforeEach(async () => {
      this.key = await newKey(this.account, { budget: 100 });
    });
  }

  authorize = (body: Record<string, unknown> = {}, as = this.account.apikey) =>
    call("POST", "/v1/authorizations", { key: as, body: { apikey: this.key.apikey, amount: 10, ...body } });

  capture = (id: string, amount: unknown, as = this.account.apikey) =>
    call("POST", `/v1/authorizations/${id}/capture`, { key: as, body: { amount } });

  release = (id: string, as = this.account.apikey) =>
    call("POST", `/v1/authorizations/${id}/void`, { key: as, body: {} });

  held = async (amount = 10, rest: Record<string, unknown> = {}): Promise<string> =>
    (await this.authorize({ amount, ...rest })).body.authorization_id;

  setLimits = async (limits: Record<string, unknown>): Promise<void> => {
    const { apikey } = this.account;
    const answer = await call("POST", `/v1/apikeys/${this.key.id}/budget`, { key: apikey, body: limits });
    expect(answer.status).toBe(200);
  };

  change = (set: string) =>
    database.pool.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, this.#row());

  /** Ends every hold of the key, as if its time were over. */
  expire = () =>
    database.pool.query(
      `WITH late AS (
          UPDATE "authorization" SET expires_at = now() WHERE account_id = $1 AND key_id = $2 AND state = 'held'
        ) UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
      this.#row(),
    );

  counters = async () => {
    const { rows } = await database.pool.query(
      "SELECT spent::text, held::text, day_spent::text, month_spent::text FROM api_key WHERE account_id = $1 AND id = $2",
      this.#row(),
    );
    return rows[0];
  };

  #row = () => [this.account.account_id, this.key.id];
}
