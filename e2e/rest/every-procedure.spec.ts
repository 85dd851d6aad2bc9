import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { newObjectId } from "@/server/input/new-object-id";
import { makeKeyValue } from "@/server/keys/key-value";
import { appRouter } from "@/server/router";
import { Browser } from "../browser";
import { newOwner } from "../owner";
import { type Account, call, database, NOWHERE, newGroup, newKey, rows } from "./client";

/** The names and ids that an input may contain. */
interface Names {
  apikey_id: string;
  group_id: string;
  event_id: string;
  session_id: string;
  passkey_id: string;
  filter_id: string;
  model_id: string;
  /** The whole value of the key. */
  apikey: string;
  authorization_id: string;
  /** A name for what is created or renamed. */
  name: string;
}

interface Case {
  /** Who may call it: everyone, any key, a caller with the default key or a session, or only a browser that is signed in. */
  answers: "anyone" | "any key" | "default key" | "browser";
  /** An input that succeeds when the names belong to the caller. */
  input?: (names: Names) => unknown;
}

const forKey = (input?: Case["input"]): Case => ({ answers: "default key", ...(input && { input }) });
const forBrowser = (input?: Case["input"]): Case => ({ answers: "browser", ...(input && { input }) });

const RANGE = { from: "2026-01-01", to: "2026-12-31" };

/** Every procedure of the router, with an input that it accepts. The first test fails when one is missing. */
const CASES: Record<string, Case> = {
  "accounts.me": forKey(),
  "accounts.updateSettings": forKey(() => ({ time_zone: "UTC" })),
  "accounts.firstSteps": forKey(),
  "accounts.setUpLink": { answers: "anyone", input: () => ({ token: "a token" }) },
  "accounts.signInOptions": { answers: "anyone" },
  "accounts.signInMethods": forBrowser(),
  "accounts.sessions": forBrowser(),
  "accounts.revokeSession": forBrowser(({ session_id }) => ({ session_id })),
  "accounts.revokeOtherSessions": forBrowser(),
  "accounts.renamePasskey": forBrowser(({ passkey_id, name }) => ({ passkey_id, name })),
  "accounts.removePasskey": forBrowser(({ passkey_id }) => ({ passkey_id })),
  "accounts.unlinkSingleSignOn": forBrowser(),
  "keys.create": forKey(({ group_id, name }) => ({ name, group_id, budget: 1 })),
  "keys.createMany": forKey(({ group_id, name }) => ({ keys: [{ name, group_id, budget: 1 }, { name }] })),
  "keys.setLimits": forKey(({ apikey_id }) => ({ apikey_id, budget: 1 })),
  "keys.list": forKey(({ group_id }) => ({ group_id })),
  "keys.export": forKey(({ apikey_id }) => ({ after: apikey_id })),
  "keys.get": forKey(({ apikey_id }) => ({ apikey_id })),
  "keys.rename": forKey(({ apikey_id, name }) => ({ apikey_id, name })),
  "keys.move": forKey(({ apikey_id, group_id }) => ({ apikey_id, group_id })),
  "keys.disable": forKey(({ apikey_id }) => ({ apikey_id })),
  "keys.enable": forKey(({ apikey_id }) => ({ apikey_id })),
  "keys.revoke": forKey(({ apikey_id }) => ({ apikey_id })),
  "keys.rotate": forKey(({ apikey_id }) => ({ apikey_id, grace_seconds: 60 })),
  "keys.batch": forKey(({ apikey_id, group_id }) => ({ apikey_ids: [apikey_id], action: "move", group_id })),
  "keys.setLimitsOfMany": forKey(({ apikey_id }) => ({ apikey_ids: [apikey_id], budget: 1 })),
  "keys.named": forBrowser(({ name }) => ({ name })),
  "groups.create": forKey(({ name }) => ({ name })),
  "groups.list": forKey(),
  "groups.setLimits": forKey(({ group_id }) => ({ group_id, budget: 1 })),
  "groups.search": forKey(() => ({ search: "" })),
  "groups.names": forKey(({ group_id }) => ({ group_ids: group_id })),
  "groups.get": forKey(({ group_id }) => ({ group_id })),
  "groups.update": forKey(({ group_id, name }) => ({ group_id, name })),
  "groups.delete": forKey(({ group_id }) => ({ group_id, ungroup_keys: true })),
  "history.list": forKey(({ apikey_id, group_id }) => ({ apikey_id, group_id })),
  "history.export": forKey(({ apikey_id, group_id }) => ({ apikey_id, group_id, format: "jsonl" })),
  "history.keys": forKey(({ event_id }) => ({ event_id })),
  "savedFilters.list": forKey(),
  "savedFilters.create": forKey(({ group_id, name }) => ({ name, keys: { group_id } })),
  "savedFilters.rename": forKey(({ filter_id, name }) => ({ filter_id, name })),
  "savedFilters.delete": forKey(({ filter_id }) => ({ filter_id })),
  "history.revert": forKey(({ event_id }) => ({ event_id, force: true })),
  "history.latest": forBrowser(({ apikey_id }) => ({ action: "key.renamed", apikey_id, seconds: 86_400 })),
  "authorizations.authorize": forKey(({ apikey }) => ({ apikey, amount: 1 })),
  "authorizations.capture": forKey(({ authorization_id }) => ({ authorization_id, amount: 1 })),
  "authorizations.void": forKey(({ authorization_id }) => ({ authorization_id })),
  "authorizations.check": forKey(({ apikey_id }) => ({ apikey_id, amount: 1 })),
  "authorizations.checkByHeaders": forKey(({ apikey }) => ({ "Allowance-Key": apikey, "Allowance-Amount": 1 })),
  "allowance.get": { answers: "any key" },
  "authorizations.list": forKey(({ apikey_id }) => ({ apikey_id })),
  "authorizations.activity": forKey(({ apikey_id }) => ({ apikey_id })),
  // Other specs change the operator's prices meanwhile.
  "models.list": forKey(({ name: search }) => ({ search, day: "today" })),
  "models.ofEvent": forKey(({ event_id }) => ({ event_id })),
  "models.get": forKey(({ model_id }) => ({ model_id })),
  "models.set": forKey(({ name }) => ({ models: [{ name, input_price: 1, output_price: 2 }] })),
  "models.import": forKey(({ name }) => ({ format: "csv", content: `name,input_price,output_price\n${name},1,2` })),
  "models.delete": forKey(({ model_id }) => ({ model_id })),
  "models.changes": forKey(({ name: search }) => ({ search })),
  "usage.account": forKey(({ group_id }) => ({ ...RANGE, by: "key", group_id })),
  "usage.totals": forKey(({ group_id }) => ({ ...RANGE, by: "key", group_id })),
  "usage.exportTotals": forKey(({ group_id }) => ({ ...RANGE, by: "key", group_id })),
  "usage.key": forKey(({ apikey_id }) => ({ apikey_id, ...RANGE })),
  "usage.refusals": forKey(({ apikey_id }) => ({ apikey_id, ...RANGE })),
  "ceilings.modelsOfKey": forKey(({ apikey_id }) => ({ apikey_id })),
  "ceilings.modelsInForce": forKey(),
  "overview.get": forKey(),
  "overview.refusals": forKey(() => ({ ...RANGE, code: "budget" })),
};

// At run time the record is flat, with names like `keys.create`. Its type is nested.
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: "query" | "mutation" } }>;

const NOBODYS = {
  ...NOWHERE,
  apikey: makeKeyValue("sk-").value,
  session_id: newObjectId(),
  passkey_id: newObjectId(),
};

/** An owner: an account, its default key, and a browser that is signed in. */
interface Person extends Account {
  email: string;
  browser: Browser;
}

type Credentials = { key?: string } | { browser: Browser };

async function newPerson(): Promise<Person> {
  const account = await newOwner(database);
  const browser = new Browser(inject("productUrl"));
  const { status } = await browser.signIn(account.email, account.password);
  if (status !== 200) throw new Error(`${account.email} cannot sign in: ${status}`);
  return { ...account, browser };
}

/** Creates one thing of each kind in an account. */
async function newThings(account: Account): Promise<Names> {
  const { account_id: userId } = account;
  const group_id = await newGroup(account);
  const { id: apikey_id, apikey } = await newKey(account, { group_id });
  const hold = { apikey, amount: 1, ttl_seconds: 86_400 };
  const held = await call("POST", "/v1/authorizations", { key: account.apikey, body: hold });
  const { authorization_id } = held.body;
  // Its event can be undone.
  await call("POST", `/v1/apikeys/${apikey_id}/rename`, { key: account.apikey, body: { name: "another name" } });
  const { body } = await call("GET", `/v1/history?apikey_id=${apikey_id}`, { key: account.apikey });
  const session = await database.prisma.session.create({
    data: { id: newObjectId(), token: randomUUID(), userId, expiresAt: new Date(Date.now() + 3_600_000) },
  });
  const passkey = await database.prisma.passkey.create({
    data: {
      id: newObjectId(),
      userId,
      publicKey: "public",
      credentialID: randomUUID(),
      counter: 0,
      deviceType: "singleDevice",
      backedUp: false,
    },
  });
  // An account has one, whatever the number of its other things.
  const identity = { userId, providerId: "oidc" };
  await database.prisma.signInMethod.upsert({
    where: { userId_providerId: identity },
    create: { id: newObjectId(), accountId: randomUUID(), ...identity },
    update: {},
  });
  // An account may have only so many.
  await database.prisma.savedFilter.deleteMany({ where: { accountId: userId } });
  const filter = await database.prisma.savedFilter.create({
    data: { accountId: userId, id: newObjectId(), list: "keys", name: randomUUID(), query: { group_id } },
  });
  const models = [{ name: randomUUID(), input_price: 1, output_price: 2 }];
  const priced = await call("POST", "/v1/models", { key: account.apikey, body: { models } });
  const name = randomUUID();
  const ids = {
    apikey_id,
    group_id,
    authorization_id,
    session_id: session.id,
    passkey_id: passkey.id,
    filter_id: filter.id,
    model_id: priced.body.changes[0].model_id,
  };
  return { ...ids, event_id: body.data[0].id, apikey, name };
}

/** Calls a procedure over tRPC, which accepts keys and cookies. */
async function callProcedure(procedure: string, by: Credentials, names: Names) {
  const input = CASES[procedure]?.input?.(names);
  const path = `/api/trpc/${procedure}`;
  const client = "browser" in by ? by.browser : new Browser(inject("productUrl"));
  const headers = "key" in by && by.key !== undefined ? { authorization: `Bearer ${by.key}` } : {};
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const { status, body } =
    procedures[procedure]?._def.type === "query"
      ? await client.get(path + query, headers)
      : await client.post(path, input, headers);
  return { status, body };
}

/** Replaces values that differ from account to account. Everything else must be equal. */
function neutral(value: unknown) {
  return JSON.stringify(value)
    .replace(/sk-[0-9A-Za-z]{7,45}/g, "<key>")
    .replace(/\b(?:[0-9a-f]{24}){1,2}\b/g, "<id>")
    .replace(/[0-9a-f-]{36}@example\.com/g, "<email>")
    .replace(/"(at|\w+_(at|until))":\d+/g, '"$1":0');
}

let owner: Person;
let otherKey: string;
/** Things of the owner that nobody changes: whoever calls with their ids may not. */
let things: Names;
/** Whose calls succeed, and change what is theirs. */
let user: Person;
/** Two accounts without data: the first sends the ids of the owner, the second sends ids that do not exist. */
let stranger: Person;
let double: Person;
beforeAll(async () => {
  [owner, user, stranger, double] = await Promise.all([newPerson(), newPerson(), newPerson(), newPerson()]);
  otherKey = (await newKey(owner)).apikey;
  things = await newThings(owner);
});

test("every procedure of the router is tried", () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(procedures).sort());
});

describe.each(Object.entries(CASES))("%s", (procedure, { answers }) => {
  test("nobody: 401", async () => {
    const { status } = await callProcedure(procedure, {}, { ...NOBODYS, name: "n" });
    expect(status).toBe(answers === "anyone" ? 200 : 401);
  });

  test("another key of the owner, with the owner's ids: 403, and nothing changes", async () => {
    const before = await rows(owner);
    const { status } = await callProcedure(procedure, { key: otherKey }, { ...things, name: randomUUID() });
    expect(status).toBe(answers === "anyone" || answers === "any key" ? 200 : 403);
    expect(await rows(owner)).toEqual(before);
  });

  test.each(["default key", "browser"])(
    "a stranger's %s: with the owner's ids the same as with ids that nothing has, and nothing of the owner changes",
    async (credentials) => {
      const names = { ...things, name: randomUUID() };
      const before = await rows(owner);
      const by = ({ apikey, browser }: Person) => (credentials === "browser" ? { browser } : { key: apikey });
      const theirs = await callProcedure(procedure, by(stranger), names);
      const none = await callProcedure(procedure, by(double), { ...NOBODYS, name: names.name });
      expect(neutral(theirs)).toEqual(neutral(none));
      expect(await rows(owner)).toEqual(before);
      for (const own of [owner.account_id, owner.email]) expect(JSON.stringify(theirs.body)).not.toContain(own);
      if (credentials === "default key" && answers === "browser") expect(theirs.status).toBe(403);
    },
  );

  test("the owner of such ids: 200", async () => {
    const by = answers === "browser" ? { browser: user.browser } : { key: user.apikey };
    const { status, body } = await callProcedure(procedure, by, await newThings(user));
    expect([status, body.error]).toEqual([200, undefined]);
  });
});
