import { expect } from "vitest";
import { type Account, call, database } from "./client";

/** What a capture or a void of an authorization that does not exist is answered. */
export const GONE = {
  status: 404,
  body: { success: false, error: "authorization_id: the authorization does not exist" },
};

/** What tests do with the holds of one key. @param spender the key of the test that runs, and its account. */
export function holdsOf(spender: () => { account: Account; key: { apikey: string; id: string } }) {
  const own = () => spender().account.apikey;
  const row = () => [spender().account.account_id, spender().key.id];
  const authorize = (body: Record<string, unknown> = {}, as = own()) =>
    call("POST", "/v1/authorizations", { key: as, body: { apikey: spender().key.apikey, amount: 10, ...body } });
  return {
    authorize,
    capture: (id: string, amount: unknown, as = own()) =>
      call("POST", `/v1/authorizations/${id}/capture`, { key: as, body: { amount } }),
    release: (id: string, as = own()) => call("POST", `/v1/authorizations/${id}/void`, { key: as, body: {} }),
    held: async (amount = 10, rest: Record<string, unknown> = {}): Promise<string> =>
      (await authorize({ amount, ...rest })).body.authorization_id,
    setLimits: async (limits: Record<string, unknown>) => {
      const answer = await call("POST", `/v1/apikeys/${spender().key.id}/budget`, { key: own(), body: limits });
      expect(answer.status).toBe(200);
    },
    change: (set: string) => database.pool.query(`UPDATE api_key SET ${set} WHERE account_id = $1 AND id = $2`, row()),
    /** Ends every hold of the key, as if its time were over. */
    expire: () =>
      database.pool.query(
        `WITH late AS (
            UPDATE "authorization" SET expires_at = now() WHERE account_id = $1 AND key_id = $2 AND state = 'held'
          ) UPDATE api_key SET held_until = now() WHERE account_id = $1 AND id = $2`,
        row(),
      ),
    counters: async () => {
      const { rows } = await database.pool.query(
        "SELECT spent::text, held::text, day_spent::text, month_spent::text FROM api_key WHERE account_id = $1 AND id = $2",
        row(),
      );
      return rows[0];
    },
  };
}
