import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { PoolClient } from "pg";
import { expect, inject, test } from "vitest";
import { auditBooks } from "@/server/authorizations/audit-queries";
import { countWaiting } from "@/server/testing/waiting";
import { Browser } from "../browser";
import { run as runProgram, runToEnd } from "../product";
import { call, database } from "./client";

interface Seeded {
  account_id: string;
  email: string;
  apikey: string;
  password: string;
  groups: number;
  keys: number;
  events: number;
}

const run = (...args: string[]) => runToEnd("seed", args, { env: { DATABASE_URL: inject("databaseUrl") } });

async function seed(...args: string[]): Promise<Seeded> {
  const { code, stdout, stderr } = await run("--email", `${randomUUID()}@example.com`, ...args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  return JSON.parse(stdout);
}

const get = async ({ apikey }: Seeded, path: string) => (await call("GET", `/v1/${path}`, { key: apikey })).body;

test("makes an account with groups, keys in every state and their history", async () => {
  const seeded = await seed("--keys", "300", "--groups", "12");
  expect(seeded).toMatchObject({ groups: 12, keys: 300, events: expect.any(Number) });
  const browser = new Browser(inject("productUrl"));
  expect((await browser.signIn(seeded.email, seeded.password)).status).toBe(200);

  const groups = (await get(seeded, "apikey_groups")).data;
  expect(groups).toHaveLength(12);
  const totals = await Promise.all(
    ["active", "disabled", "expired", "revoked", "exhausted"].map(
      async (status) => (await get(seeded, `apikeys?status=${status}`)).total,
    ),
  );
  expect(totals.every((total) => total > 0)).toBe(true);
  expect(totals.reduce((sum, total) => sum + total)).toBe(301);
  const ungrouped = (await get(seeded, "apikeys?group_id=none")).total;
  const inGroups = groups.reduce((sum: number, { apikey_count }: { apikey_count: number }) => sum + apikey_count, 0);
  expect(inGroups + ungrouped).toBe((await get(seeded, "apikeys")).total);

  const models = (await get(seeded, "models?source=account&day=today")).data;
  expect(models).toHaveLength(12);
  expect(models.every(({ name }: { name: string }) => name.startsWith("example/"))).toBe(true);
  const history = async (action: string) => (await get(seeded, `history?action=${action}`)).total;
  expect(await history("key.created")).toBe(300);
  expect(await history("group.created")).toBe(12);
  expect(await history("key.revoked")).toBe(totals[3]);
  // The history also has one event for the creation of the account, and one for the sign-in above.
  expect((await get(seeded, "history")).total).toBe(seeded.events + 2);
});

test("shows what the product is for: keys near and at each limit, refusals, a spike, and books that balance", async () => {
  const seeded = await seed("--keys", "200", "--groups", "10");
  const { spend, keys, refusals } = await get(seeded, "overview");
  for (const { count } of [keys.at_limit, keys.near_limit, keys.expiring]) expect(count).toBeGreaterThan(0);
  const refused = new Set(refusals.data.map(({ code }: { code: string }) => code));
  for (const code of ["budget", "daily_limit", "monthly_limit", "input_price_limit", "output_price_limit"]) {
    expect(refused).toContain(code);
  }
  const daysAgo = ({ day }: { day: string }) => (Date.parse(spend.today.to) - Date.parse(day)) / 86_400_000;
  const around = spend.days.filter((each: { day: string }) => Math.abs(daysAgo(each) - 9) <= 3);
  const amounts = around.map(({ spent }: { spent: number }) => spent).sort((a: number, b: number) => b - a);
  expect(amounts[0]).toBeGreaterThan(1.3 * amounts[1]);

  const blockedBy = new Set<string>();
  for (const key of (await get(seeded, "apikeys?status=exhausted&page_size=100")).data) {
    if (key.spent >= key.budget && key.budget) blockedBy.add("budget");
    if (key.spent_today >= key.daily_limit && key.daily_limit) blockedBy.add("daily_limit");
    if (key.spent_this_month >= key.monthly_limit && key.monthly_limit) blockedBy.add("monthly_limit");
  }
  expect([...blockedBy].sort()).toEqual(["budget", "daily_limit", "monthly_limit"]);
  for (const actor of ["browser", "rest", "command_line"]) {
    expect((await get(seeded, `history?actor=${actor}`)).total).toBeGreaterThan(0);
  }

  const range = `from=${spend.days[0].day}&to=${spend.today.to}`;
  const byModel = await get(seeded, `usage/totals?by=model&${range}`);
  const models = byModel.data.filter(({ id }: { id: string | null }) => id !== null);
  expect(models.length).toBeGreaterThan(9);
  for (const { input_tokens, captures } of models) expect(input_tokens).toBeGreaterThan(captures);
  const priced = (await get(seeded, `refusals?${range}&code=input_price_limit`)).data[0];
  const { data: calls } = await get(seeded, `apikeys/${priced.apikey_id}/activity?kind=refused&page_size=100`);
  expect(calls.length).toBeGreaterThan(0);
  for (const { code, price, ceiling } of calls) {
    if (code.endsWith("_price_limit")) expect(price).toBeGreaterThan(ceiling);
  }

  const client = await database.pool.connect();
  try {
    const { differences } = await auditBooks(client, 400);
    expect(differences.filter(({ account_id }) => account_id === seeded.account_id)).toEqual([]);
    const { rows } = await client.query(
      `SELECT bool_or(overrun) AS overrun, bool_or(state = 'held') AS held, count(DISTINCT gateway)::int AS gateways
        FROM "authorization" WHERE account_id = $1`,
      [seeded.account_id],
    );
    expect(rows).toEqual([{ overrun: true, held: true, gateways: 3 }]);
  } finally {
    client.release();
  }
});

test("the same seed makes the same keys, another makes others", async () => {
  const shown = async (...args: string[]) => {
    const { data } = await get(await seed("--keys", "20", "--groups", "2", ...args), "apikeys?status=active&sort=name");
    return data
      .filter((key: { is_default: boolean }) => !key.is_default)
      .map(({ apikey_id, name, budget }: Record<string, unknown>) => [apikey_id, name, budget]);
  };
  const [first, again, other] = [await shown("--seed", "7"), await shown("--seed", "7"), await shown("--seed", "8")];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test("keys without groups, and nothing at all", async () => {
  expect(await seed("--keys", "3", "--groups", "0")).toMatchObject({ keys: 3, groups: 0 });
  expect(await seed("--keys", "0", "--groups", "0")).toMatchObject({ keys: 0, groups: 0, events: 1 });
});

test("an account of that address is there already: one line, and no second account", async () => {
  const { email } = await seed("--keys", "1", "--groups", "1");
  const { code, stdout, stderr } = await run("--email", email);
  expect([code, stdout, stderr.trim()]).toEqual([1, "", `email: an account for ${email} exists already`]);
});

/** Waits until the seed of an account is where it is to be interrupted. The client is in a transaction. */
type Awaited = (client: PoolClient, email: string) => Promise<void>;

const untilItsDataWait: Awaited = async (client, email) => {
  const lock = async () => (await client.query("SELECT FROM account WHERE email = $1 FOR UPDATE", [email])).rowCount;
  await expect.poll(lock).toBe(1);
};

const untilItsAccountWaits: Awaited = async (client, email) => {
  await client.query("INSERT INTO account (id, email) VALUES ($1, $2)", [randomBytes(12).toString("hex"), email]);
  await expect.poll(() => countWaiting(database.pool, client)).toBe(1);
};

test.each([
  ["with a part of its data", untilItsDataWait],
  ["before it knows whether its account is there", untilItsAccountWaits],
])("that is interrupted %s says how to delete the account that it has begun", async (_, isReady) => {
  const email = `${randomUUID()}@example.com`;
  const env = { DATABASE_URL: inject("databaseUrl") };
  const client = await database.pool.connect();
  await client.query("BEGIN");
  const child = runProgram("seed", ["--email", email, "--keys", "20000"], { env });
  let stderr = "";
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const ended = once(child, "close");
  try {
    await isReady(client, email);
    child.kill("SIGTERM");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(stderr).toBe(`the account ${email} does not have all of its data; account delete ${email} removes it\n`);
  expect((await runToEnd("account-delete", [email, "--yes"], { env })).code).toBe(0);
  expect((await run("--email", email, "--keys", "1")).code).toBe(0);
});

test.each([
  ["keys: must be a whole number from 0 to 1000000", "--keys", "many"],
  ["keys: must be a whole number from 0 to 1000000", "--keys", "1000001"],
  ["--colour: unknown option", "--colour", "red"],
  ["keys: required", "--keys"],
])("%s, and the usage, in one line", async (fault, ...args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^[^\n]*; usage: allowance seed [^\n]*\n$/);
  expect(stderr).toContain(fault);
});
