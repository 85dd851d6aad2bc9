import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { Browser } from "../browser";
import { type Finished, runToEnd } from "../product";
import { database } from "./client";

const recover = (args: string[], input = ""): Promise<Finished> =>
  runToEnd("account-recover", args, { env: { DATABASE_URL: inject("databaseUrl") }, input });
const by = { kind: "command_line", address: null } as const;

async function accountWithPassword(password?: string) {
  const email = `${randomUUID()}@example.com`;
  const given = password === undefined ? {} : { password };
  const { account_id } = await createAccount(database, { email, isProven: true, keyPrefix: "sk-", by, ...given });
  return { email, id: account_id };
}

test("a new password is printed; the old one and the sessions have ended", async () => {
  const { email, id } = await accountWithPassword("the first password");
  const browser = new Browser(inject("productUrl"));
  expect((await browser.signIn(email, "the first password")).status).toBe(200);
  const { code, stdout } = await recover(["--email", email.toUpperCase()]);
  expect(code).toBe(0);
  const { password, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ email: email.toUpperCase(), state: "active" });
  expect((await browser.get("/api/trpc/accounts.me")).status).toBe(401);
  const another = new Browser(inject("productUrl"));
  expect((await another.signIn(email, "the first password")).status).toBe(401);
  expect((await another.signIn(email, password)).status).toBe(200);
  const events = await database.prisma.event.findMany({
    where: { accountId: id, actor: "command_line" },
    // Two processes made them: ids of one second are in no order.
    orderBy: { at: "asc" },
  });
  expect(events.at(-1)).toMatchObject({ action: "sign_in.password_changed", actorName: "account:recover" });
  expect(JSON.stringify(events)).not.toContain(password);
});

test("an account without a password gets its first, from the standard input", async () => {
  const { email } = await accountWithPassword();
  const { code, stdout } = await recover(["--email", email, "--password-stdin"], "a password of my own\n");
  expect([code, JSON.parse(stdout)]).toEqual([0, { email, state: "active" }]);
  expect((await new Browser(inject("productUrl")).signIn(email, "a password of my own")).status).toBe(200);
});

test.each([
  ["too common", () => "password1234", "is too easy to guess"],
  ["made of the email", (email: string) => email, "must not be made of the email address"],
])("a password that is %s is refused, and nothing changes", async (_, choose, words) => {
  const { email } = await accountWithPassword("the first password");
  const { code, stdout, stderr } = await recover(["--email", email, "--password-stdin"], choose(email));
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(`password: ${words}`)]);
  expect((await new Browser(inject("productUrl")).signIn(email, "the first password")).status).toBe(200);
});

test("the second factor is turned off where that is asked for, and stays otherwise", async () => {
  const { email, id } = await accountWithPassword("the first password");
  await database.prisma.account.update({ where: { id }, data: { twoFactorEnabled: true } });
  await database.prisma.twoFactor.create({ data: { id: randomUUID(), userId: id, secret: "s", backupCodes: "b" } });
  await recover(["--email", email]);
  expect(await database.prisma.twoFactor.count({ where: { userId: id } })).toBe(1);
  await recover(["--email", email, "--second-factor-off"]);
  expect(await database.prisma.twoFactor.count({ where: { userId: id } })).toBe(0);
  const account = await database.prisma.account.findUniqueOrThrow({ where: { id } });
  expect(account.twoFactorEnabled).toBe(false);
});

test("an account that is disabled stays so, and the command says it", async () => {
  const { email, id } = await accountWithPassword();
  await database.prisma.account.update({ where: { id }, data: { disabledAt: new Date() } });
  const { code, stdout } = await recover(["--email", email, "--password-stdin"], "a password of my own\n");
  expect([code, JSON.parse(stdout)]).toEqual([0, { email, state: "disabled" }]);
});

test.each([
  ["an unknown address", () => ["--email", "nobody@example.com"], "email: there is no account for nobody@example.com"],
  ["no address", () => [], "email: required"],
])("%s: one clear line on stderr, exit 1", async (_, args, message) => {
  const { code, stdout, stderr } = await recover(args());
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
});
