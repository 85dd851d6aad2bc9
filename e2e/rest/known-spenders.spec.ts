import { afterAll, expect, inject, test } from "vitest";
import { createGateway, revokeGateway } from "@/server/auth/gateway-queries";
import { makeKeyValue } from "@/server/keys/key-value";
import { type Account, call, database, newAccount, newKey } from "./client";
import { FastClient, type RawAnswer } from "./raw";

// Who authorizes spend often is not looked up before each decision. It makes no difference to anybody.

/** A credential that authorizes spend on a key of the account, and how it ends. */
interface Spender {
  credential: string;
  account: Account;
  end(): Promise<unknown>;
}

const SPENDERS: [string, () => Promise<Spender>][] = [
  [
    "a default key that is rotated",
    async () => {
      const account = await newAccount();
      const path = `/v1/apikeys/${account.apikey.slice(0, 10)}/rotate`;
      const end = async () => {
        expect((await call("POST", path, { key: account.apikey, body: { grace_seconds: 0 } })).status).toBe(200);
      };
      return { credential: account.apikey, account, end };
    },
  ],
  [
    "the default key of an account that is disabled",
    async () => {
      const account = await newAccount();
      // A start of the command would take longer than a process remembers.
      const end = () =>
        database.pool.query("UPDATE account SET disabled_at = now() WHERE id = $1", [account.account_id]);
      return { credential: account.apikey, account, end };
    },
  ],
  [
    "a token that is revoked",
    async () => {
      const account = await newAccount();
      const name = `g-${account.account_id}`;
      const credential = await createGateway(database, { name, accountIds: undefined, expiresOn: undefined });
      return { credential, account, end: () => revokeGateway(database, name) };
    },
  ],
];

/** What may be asked of a key, and what is answered to whoever may ask. */
interface Question {
  method: string;
  path: string;
  body?: object;
  headers?: Record<string, string>;
  status: number;
}

function questionsOf(apikey: string, open: readonly string[]): Question[] {
  const [captured, voided] = open;
  const check = { apikey, amount: 1 };
  const left = { "Allowance-Scope": "left" };
  return [
    { method: "POST", path: "/v1/authorizations", body: { apikey, amount: 1 }, status: 200 },
    { method: "POST", path: "/v1/authorizations", body: { apikey, amount: 1, amont: 1 }, status: 200 },
    { method: "POST", path: "/v1/authorizations", body: { apikey, amount: "much", amont: 1 }, status: 400 },
    { method: "POST", path: "/v1/authorizations", body: { apikey: makeKeyValue("sk-").value, amount: 1 }, status: 200 },
    { method: "POST", path: `/v1/authorizations/${captured}/capture`, body: { amount: 1 }, status: 200 },
    { method: "POST", path: `/v1/authorizations/${"0".repeat(48)}/capture`, body: { amount: 1 }, status: 404 },
    { method: "POST", path: `/v1/authorizations/${voided}/void`, status: 200 },
    { method: "POST", path: "/v1/authorizations/check", body: check, status: 200 },
    { method: "POST", path: "/v1/authorizations/check", body: { ...check, amount: -1 }, status: 400 },
    { method: "GET", path: "/v1/authorizations/check", headers: { "Allowance-Key": apikey, ...left }, status: 204 },
    { method: "GET", path: "/v1/authorizations/check", headers: { "Allowance-Key": "none", ...left }, status: 401 },
  ];
}

const ignoredOf = ({ body = {} }: Question) => ("amont" in body ? "amont" : undefined);

const client = new FastClient();
afterAll(() => client.close());

const ask = ({ method, path, body, headers = {} }: Question, key: string): Promise<RawAnswer> =>
  client.send(inject("productUrl"), method, path, key, { body, headers });

test.each(SPENDERS)("%s: each question is answered as ever, and after its end with 401 alone", async (_, make) => {
  const { credential, account, end } = await make();
  const { apikey, id } = await newKey(account);
  const [first] = questionsOf(apikey, []);
  const authorize = () => ask(first as Question, credential);
  const open = (await Promise.all([1, 2, 3, 4].map(authorize))).map(
    ({ body }) => JSON.parse(`${body}`).authorization_id,
  );
  const before = questionsOf(apikey, open.slice(0, 2));
  for (const question of before) {
    const { status, headers } = await ask(question, credential);
    expect([status, headers["ignored-parameters"]]).toEqual([question.status, ignoredOf(question)]);
  }
  const holds = async () => {
    const { rows } = await database.pool.query(
      "SELECT xmin, open_holds FROM api_key WHERE account_id = $1 AND id = $2",
      [account.account_id, id],
    );
    return rows;
  };
  await end();
  const held = await holds();
  const after = await Promise.all(questionsOf(apikey, open.slice(2)).map((question) => ask(question, credential)));
  const error = "API key missing or invalid";
  for (const answer of after) {
    expect([answer.status, JSON.parse(`${answer.body}`)]).toEqual([401, { success: false, error }]);
    expect(answer.headers).toMatchObject({ "www-authenticate": "Bearer" });
    for (const name of ["allowance-code", "ignored-parameters"]) expect(answer.headers).not.toHaveProperty(name);
  }
  expect(await holds()).toEqual(held);
});

test("a key that is not the default key is 403 before its input, also when it comes again and again", async () => {
  const { apikey } = await newKey(await newAccount());
  for (const question of questionsOf(apikey, [])) expect((await ask(question, apikey)).status).toBe(403);
});
