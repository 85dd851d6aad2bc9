import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createGateway, listGateways } from "@/server/auth/gateway-queries";
import { makeKeyValue } from "@/server/keys/key-value";
import { dataFolder } from "../data-folder";
import { GATEWAY_TOKEN, type Product, runToEnd, startProduct } from "../product";
import { type Account, call, callAt, database, newAccount, newKey, trpc } from "./client";
import { command, linesOf } from "./command";

const freshName = () => `eu-${randomUUID().slice(0, 8)}`;

/** Makes a token as the command does. A start of it for each token would take most of the time of this file. */
async function create(): Promise<{ name: string; token: string }> {
  const name = freshName();
  return { name, token: await createGateway(database, { name, accountIds: undefined, expiresOn: undefined }) };
}

/** What the command lists of a gateway. */
async function listed(name: string): Promise<Record<string, unknown>[]> {
  const finished = await command("gateway-list");
  expect([finished.code, finished.stderr]).toEqual([0, ""]);
  return linesOf(finished).filter((gateway) => gateway.name === name);
}

let account: Account;
let stranger: Account;
let key: { apikey: string; id: string };
beforeAll(async () => {
  [account, stranger] = await Promise.all([newAccount(), newAccount()]);
  key = await newKey(account);
});

const authorize = (token: string, apikey = key.apikey, url = inject("productUrl")) =>
  callAt(url, "POST", "/v1/authorizations", { key: token, body: { apikey, amount: 1 } });
const open = async (): Promise<{ authorization_id: string; gateway: string | null }[]> =>
  (await call("GET", `/v1/apikeys/${key.id}/authorizations`, { key: account.apikey })).body.data;

describe("gateway:create", () => {
  test("prints the token this once; it authorizes spend on the keys of every account, and does nothing else", async () => {
    const name = freshName();
    const { code, stdout, stderr } = await command("gateway-create", "--name", name);
    expect([code, stderr, stdout.split("\n").length]).toEqual([0, "", 2]);
    const made = JSON.parse(stdout);
    expect(made).toEqual({ name, token: expect.stringMatching(/^gw-[\w-]{43}$/), accounts: null, expires: null });
    const { token } = made;
    const theirs = await newKey(stranger);
    for (const apikey of [key.apikey, theirs.apikey]) {
      const held = await authorize(token, apikey);
      expect([held.status, held.body.allowed]).toEqual([200, true]);
      const path = `/v1/authorizations/${held.body.authorization_id}/capture`;
      expect((await call("POST", path, { key: token, body: { amount: 1 } })).status).toBe(200);
    }
    expect((await call("GET", "/v1/apikeys", { key: token })).status).toBe(401);
    await expect(trpc(token).groups.list.query()).rejects.toMatchObject({ data: { httpStatus: 401 } });
    const { rows } = await database.pool.query("SELECT gateway_token::text AS row FROM gateway_token");
    expect(JSON.stringify([rows, await listed(name)])).not.toContain(token.slice(3, 20));
  });

  test("--accounts: keys and authorizations of other accounts are answered like those that do not exist", async () => {
    const name = freshName();
    const ids = `${account.account_id},${account.account_id}`;
    const made = await command("gateway-create", "--name", name, "--accounts", ids);
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const { token } = JSON.parse(made.stdout);
    const theirs = await newKey(stranger);
    const held = await call("POST", "/v1/authorizations", {
      key: stranger.apikey,
      body: { apikey: theirs.apikey, amount: 1 },
    });
    expect((await authorize(token)).body.allowed).toBe(true);
    const none = await authorize(token, makeKeyValue("sk-").value);
    expect(none.body.code).toBe("key_not_found");
    expect((await authorize(token, theirs.apikey)).body).toEqual(none.body);
    const check = (apikey: string) =>
      call("POST", "/v1/authorizations/check", { key: token, body: { apikey, amount: 1 } }).then(({ body }) => body);
    expect(await check(theirs.apikey)).toEqual(await check(makeKeyValue("sk-").value));
    for (const names of [
      { apikey_id: theirs.id, account_id: stranger.account_id },
      { apikey_hash: createHash("sha256").update(theirs.apikey).digest("hex") },
    ]) {
      for (const path of ["/v1/authorizations", "/v1/authorizations/check"]) {
        const { body } = await call("POST", path, { key: token, body: { ...names, amount: 1 } });
        expect(body.code).toBe("key_not_found");
      }
    }
    for (const action of ["capture", "void"]) {
      const path = `/v1/authorizations/${held.body.authorization_id}/${action}`;
      const { status, body } = await call("POST", path, { key: token, body: { amount: 1 } });
      expect([status, body.error]).toEqual([404, "authorization_id: the authorization does not exist"]);
    }
    expect(await listed(name)).toMatchObject([{ accounts: [account.account_id], state: "valid" }]);
  });

  test.each([
    ["no name", [], /^name: required; usage: /],
    ["a name with capitals", ["--name", "EU"], /^name: must be 1 to 32 lower-case letters/],
    ["a name of 33 characters", ["--name", "e".repeat(33)], /^name: must be 1 to 32/],
    ["no ids of accounts", ["--name", "eu", "--accounts", "me"], /^accounts: must be ids of accounts/],
    ["an empty list of accounts", ["--name", "eu", "--accounts", ""], /^accounts: must be ids of accounts/],
    ["an unknown account", ["--name", "eu", "--accounts", "0".repeat(24)], /^accounts: there is no account 0+$/],
    ["no day", ["--name", "eu", "--expires", "soon"], /^expires: must be a date in the format YYYY-MM-DD/],
    [
      "a day that does not exist",
      ["--name", "eu", "--expires", "2026-02-30"],
      /^expires: is not a day of the calendar; usage: /,
    ],
    ["a day that is over", ["--name", "eu", "--expires", "2020-01-01"], /^expires: must be today or later/],
    ["an unknown option", ["--nam", "eu"], /^--nam: unknown option; did you mean --name\?; usage: /],
  ])("%s: one clear line on stderr, exit 1", async (_, args, line) => {
    const { code, stdout, stderr } = await command("gateway-create", ...args);
    expect([code, stdout, stderr.trimEnd().split("\n")]).toEqual([1, "", [expect.stringMatching(line)]]);
  });

  test("a name that has a token: refused; free again after it was revoked", async () => {
    const { name, token } = await create();
    const again = await command("gateway-create", "--name", name);
    expect([again.code, again.stderr]).toEqual([1, `name: the gateway ${name} has a token already; revoke it first\n`]);
    expect((await command("gateway-revoke", "--name", name)).code).toBe(0);
    const next = JSON.parse((await command("gateway-create", "--name", name)).stdout);
    expect([(await authorize(token)).status, (await authorize(next.token)).status]).toEqual([401, 200]);
    expect((await listed(name)).map(({ state }) => state)).toEqual(["valid", "revoked"]);
  });
});

describe("a token ends at once, in every process", () => {
  let other: Product;
  beforeAll(async () => {
    other = await startProduct({ env: { DATABASE_URL: inject("databaseUrl") } });
  });
  afterAll(() => other.stop());

  const everywhere = async (token: string) =>
    Promise.all([inject("productUrl"), other.url].map(async (url) => (await authorize(token, key.apikey, url)).status));

  test("when it is revoked", async () => {
    const { name, token } = await create();
    expect(await everywhere(token)).toEqual([200, 200]);
    const { code, stdout, stderr } = await command("gateway-revoke", "--name", name);
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, { name, state: "revoked" }, ""]);
    expect(await everywhere(token)).toEqual([401, 401]);
    expect(await listed(name)).toMatchObject([{ state: "revoked", revoked_at: expect.stringMatching(/Z$/) }]);
    expect((await command("gateway-revoke", "--name", name)).stderr).toBe(
      `name: no gateway ${name} has a token that is not revoked\n`,
    );
    expect((await command("gateway-revoke")).stderr).toMatch(/^name: required/);
  });

  test("when its last day, in UTC, is over", async () => {
    const name = freshName();
    const expires = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const { token } = JSON.parse((await command("gateway-create", "--name", name, "--expires", expires)).stdout);
    expect(await listed(name)).toMatchObject([{ expires, state: "valid" }]);
    const letExpire = (day: string) =>
      database.pool.query(`UPDATE gateway_token SET expires_on = ${day} WHERE name = $1`, [name]);
    // The account's zone is ahead of UTC. The day counts in UTC.
    const today = "(now() AT TIME ZONE 'UTC')::date";
    await letExpire(today);
    expect(await everywhere(token)).toEqual([200, 200]);
    await letExpire(`${today} - 1`);
    expect(await everywhere(token)).toEqual([401, 401]);
    expect(await listed(name)).toMatchObject([{ state: "expired" }]);
  });
});

test("the last use is shown, and written once a minute", async () => {
  const { name, token } = await create();
  const lastUse = async () => (await listGateways(database)).find((gateway) => gateway.name === name)?.last_used_at;
  expect(await listed(name)).toMatchObject([{ last_used_at: null }]);
  await authorize(token);
  await expect.poll(lastUse).toEqual(expect.stringMatching(/Z$/));
  const first = await lastUse();
  expect((await authorize(token)).status).toBe(200);
  expect(await listed(name)).toMatchObject([{ last_used_at: first }]);
  await database.pool.query("UPDATE gateway_token SET last_used_at = '2020-01-01Z' WHERE name = $1", [name]);
  // For a second a process need not look a token up, and notes no use of it.
  await expect
    .poll(async () => {
      expect((await authorize(token)).status).toBe(200);
      return lastUse();
    })
    .toMatch(/^20[^2]|^202[^0]/);
});

test("an authorization names the gateway that asked for it", async () => {
  const { name, token } = await create();
  const ids: Record<string, string | null> = {};
  for (const [as, gateway] of [
    [token, name],
    [GATEWAY_TOKEN, "GATEWAY_TOKENS"],
    [account.apikey, null],
  ] as const) {
    ids[(await authorize(as)).body.authorization_id] = gateway;
  }
  const found = (await open()).filter(({ authorization_id }) => authorization_id in ids);
  expect(Object.fromEntries(found.map((each) => [each.authorization_id, each.gateway]))).toEqual(ids);
});

test("on the embedded database, without a server and with one", async () => {
  const folder = await dataFolder();
  const DATA_DIR = folder.path;
  const run = (name: string, ...args: string[]) => runToEnd(name, args, { env: { DATA_DIR } });
  try {
    const { code, stdout, stderr } = await run("gateway-create", "--name", "eu-1");
    expect([code, stderr]).toEqual([0, ""]);
    const { apikey } = JSON.parse(
      (await runToEnd("account-create", ["--email", "a@example.com"], { env: { DATA_DIR } })).stdout,
    );
    const product = await startProduct({ env: { DATA_DIR } });
    try {
      expect((await authorize(JSON.parse(stdout).token, apikey, product.url)).body.allowed).toBe(true);
      expect(JSON.parse((await run("gateway-list")).stdout)).toMatchObject({ name: "eu-1", state: "valid" });
      expect((await run("gateway-revoke", "--name", "eu-1")).code).toBe(0);
      expect((await authorize(JSON.parse(stdout).token, apikey, product.url)).status).toBe(401);
    } finally {
      expect(await product.stop()).toBe(0);
    }
  } finally {
    await folder.remove();
  }
});
