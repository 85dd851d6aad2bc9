import { type Account, call, database } from "./client";

/** How many keys one call changes at most (docs/api.md#change-all-keys-that-match). */
export const KEYS_OF_CALL = 5_000;

/** The id of the n-th of the inserted keys: sk-0000001, sk-0000002 and so on. */
export const idOf = (n: number) => `sk-${String(n).padStart(7, "0")}`;

/** Many keys of an account, and what changes them. @param owner the account of the test that runs. */
export function keyRowsOf(owner: () => Account) {
  const post = (path: string, body: object) => call("POST", path, { key: owner().apikey, body });
  const get = async (path: string) => (await call("GET", path, { key: owner().apikey })).body;
  return {
    batch: (body: object) => post("/v1/apikeys/batch", body),
    setLimits: (body: object) => post("/v1/apikeys/batch_budget", body),
    read: (id: string) => get(`/v1/apikeys/${id}`),
    history: async (action: string) => (await get(`/v1/history?action=${action}`)).data,

    /** Inserts keys. @param columns what their columns have: SQL, in which n is the number of the key. */
    async insertKeys(count: number, columns: Record<string, string> = {}): Promise<void> {
      const names = Object.keys(columns).map((name) => `, ${name}`);
      const values = Object.values(columns).map((value) => `, ${value}`);
      await database.pool.query(
        `INSERT INTO api_key (account_id, id, name ${names.join("")})
        SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key ' || n ${values.join("")}
        FROM generate_series(1, $2::int) n`,
        [owner().account_id, count],
      );
    },

    async count(where: string): Promise<number> {
      const { rows } = await database.pool.query(
        `SELECT count(*)::int AS count FROM api_key WHERE account_id = $1 AND NOT is_default AND ${where}`,
        [owner().account_id],
      );
      return rows[0].count;
    },
  };
}
