import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { Browser } from "../browser";
import { runToEnd } from "../product";
import { call } from "./client";

interface Seeded {
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
    ["active", "disabled", "expired", "revoked"].map(
      async (status) => (await get(seeded, `apikeys?status=${status}`)).total,
    ),
  );
  expect(totals.every((total) => total > 0)).toBe(true);
  expect(totals.reduce((sum, total) => sum + total)).toBe(301);
  const ungrouped = (await get(seeded, "apikeys?group_id=none")).total;
  const inGroups = groups.reduce((sum: number, { apikey_count }: { apikey_count: number }) => sum + apikey_count, 0);
  expect(inGroups + ungrouped).toBe((await get(seeded, "apikeys")).total);

  const history = async (action: string) => (await get(seeded, `history?action=${action}`)).total;
  expect(await history("key.created")).toBe(300);
  expect(await history("group.created")).toBe(12);
  expect(await history("key.revoked")).toBe(totals[3]);
  // The history also has one event for the creation of the account, and one for the sign-in above.
  expect((await get(seeded, "history")).total).toBe(seeded.events + 2);
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
  expect(await seed("--keys", "0", "--groups", "0")).toMatchObject({ keys: 0, groups: 0, events: 0 });
});

test("an account of that address is there already: one line, and no second account", async () => {
  const { email } = await seed("--keys", "1", "--groups", "1");
  const { code, stdout, stderr } = await run("--email", email);
  expect([code, stdout, stderr.trim()]).toEqual([1, "", `email: an account for ${email} exists already`]);
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
