import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runToEnd } from "../product";
import { Deployment, freshAddress, me } from "./deployment";

const PASSWORD = "a password of some length";
const LOCKED = {
  success: false,
  error: "too many attempts; try again in 15 minutes",
  code: "TOO_MANY_ATTEMPTS",
  values: { minutes: 15 },
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start();
});
afterAll(() => deployment.stop());

/** Tries wrong passwords from one address, and returns the statuses. */
async function guess(email: string, address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await deployment.browser(address).signIn(email, PASSWORD)).status);
  return statuses;
}

/** Lets so many wrong passwords for an email have come from the whole network within the last hour. */
async function letHaveBeenGuessed(email: string, count: number): Promise<void> {
  const key = `sign-in as ${createHash("sha256").update(email).digest("base64url")}`;
  const lastRequest = Date.now();
  await deployment.db.prisma.rateLimit.upsert({
    where: { key },
    create: { id: randomUUID(), key, count, lastRequest },
    update: { count, lastRequest },
  });
}

describe("ten wrong passwords from one address", () => {
  test.each(["an account", "nobody"])("lock it out for the email of %s, for 15 minutes", async (whose) => {
    const account = whose === "an account" ? await deployment.newAccount() : undefined;
    const email = account?.email ?? `${randomUUID()}@example.com`;
    const address = freshAddress();
    expect(await guess(email, address, 10)).toEqual(Array(10).fill(401));
    const refused = await deployment.browser(address).signIn(email, account?.password ?? PASSWORD);
    expect([refused.status, refused.body]).toEqual([429, LOCKED]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
  });

  test("keep the owner at another address out of nothing, and the owner locks nobody else out", async () => {
    const account = await deployment.newAccount();
    const stranger = freshAddress();
    expect((await guess(account.email, stranger, 13)).slice(10)).toEqual([429, 429, 429]);
    const owner = deployment.browser();
    expect((await owner.signIn(account.email, account.password)).status).toBe(200);
    expect((await me(owner)).status).toBe(200);
    // The success of the owner gives the stranger no new attempts.
    expect(await guess(account.email, stranger, 1)).toEqual([429]);
  });

  test("count together for an IPv6 network of 64 bits", async () => {
    const { email } = await deployment.newAccount();
    const network = `2001:db8:${(Math.floor(Math.random() * 65_000) + 1).toString(16)}:1`;
    for (let i = 1; i <= 10; i++) expect(await guess(email, `${network}::${i}`, 1)).toEqual([401]);
    expect(await guess(email, `${network}::ffff`, 1)).toEqual([429]);
    expect(await guess(email, "2001:db8:0:2::1", 1)).toEqual([401]);
  });

  test("in one letter case or another are the same email", async () => {
    const { email } = await deployment.newAccount();
    const address = freshAddress();
    await guess(email, address, 10);
    expect(await guess(email.toUpperCase(), address, 1)).toEqual([429]);
  });
});

describe("a hundred wrong passwords in an hour, from everywhere", () => {
  test("lock new addresses out, for an account and for nobody", async () => {
    for (const email of [(await deployment.newAccount()).email, `${randomUUID()}@example.com`]) {
      await letHaveBeenGuessed(email, 99);
      expect(await guess(email, freshAddress(), 1)).toEqual([401]);
      const refused = await deployment.browser().signIn(email, PASSWORD);
      expect([refused.status, refused.body.code]).toEqual([429, "TOO_MANY_ATTEMPTS"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
    }
  });

  test("do not lock the owner out where the owner has signed in before", async () => {
    const account = await deployment.newAccount();
    const home = freshAddress();
    expect((await deployment.browser(home).signIn(account.email, account.password)).status).toBe(200);
    await letHaveBeenGuessed(account.email, 5_000);
    expect((await deployment.browser(home).signIn(account.email, account.password)).status).toBe(200);
    expect((await deployment.browser().signIn(account.email, account.password)).status).toBe(429);
    // A known address has its own ten attempts, no more.
    expect(await guess(account.email, home, 11)).toEqual([...Array(10).fill(401), 429]);
  });

  test("cannot come from one address: what is refused there does not count for the others", async () => {
    const { email } = await deployment.newAccount();
    await letHaveBeenGuessed(email, 90);
    const stranger = freshAddress();
    expect((await guess(email, stranger, 25)).filter((status) => status === 401)).toHaveLength(10);
    await letHaveBeenGuessed(email, 99);
    expect(await guess(email, freshAddress(), 1)).toEqual([401]);
  });
});

test("account:recover lifts the lock-outs of the account: passwords and second factor", async () => {
  const account = await deployment.newAccount();
  const address = freshAddress();
  await guess(account.email, address, 11);
  await letHaveBeenGuessed(account.email, 5_000);
  await deployment.db.prisma.twoFactor.create({
    data: {
      id: randomUUID(),
      userId: account.account_id,
      secret: "s",
      backupCodes: "b",
      failedVerificationCount: 10,
      lockedUntil: new Date(Date.now() + 600_000),
    },
  });
  const counted = { key: `second factor of ${account.account_id}` };
  await deployment.db.prisma.rateLimit.create({
    data: { ...counted, id: randomUUID(), count: 11, lastRequest: Date.now() },
  });
  const { stdout, code } = await runToEnd("account-recover", ["--email", account.email], { env: deployment.env });
  expect(code).toBe(0);
  const { password } = JSON.parse(stdout);
  expect((await deployment.browser(address).signIn(account.email, password)).status).toBe(200);
  expect((await deployment.browser().signIn(account.email, password)).status).toBe(200);
  const factor = await deployment.db.prisma.twoFactor.findFirstOrThrow({ where: { userId: account.account_id } });
  expect(factor).toMatchObject({ failedVerificationCount: 0, lockedUntil: null });
  expect(await deployment.db.prisma.rateLimit.count({ where: counted })).toBe(0);
});

test("after thirty wrong passwords from one address: 429 there, whatever the email; not elsewhere", async () => {
  const account = await deployment.newAccount();
  const address = freshAddress();
  const attempt = () => deployment.browser(address).signIn(`${randomUUID()}@example.com`, PASSWORD);
  // Three at a time, because hashing a password is slow on purpose.
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([attempt(), attempt(), attempt()]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  }
  expect((await deployment.browser(address).signIn(account.email, account.password)).status).toBe(429);
  expect((await deployment.browser().signIn(account.email, account.password)).status).toBe(200);
});

test("many attempts at once are counted one by one", async () => {
  const address = freshAddress();
  const email = `${randomUUID()}@example.com`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => deployment.browser(address).signIn(email, PASSWORD)),
  );
  // They wait for one row. On a busy machine some wait too long, and may have been counted.
  const busy = answers.filter(({ status, body }) => status === 503 && body.code === "database_away").length;
  const others = answers.filter(({ status }) => ![401, 429, 503].includes(status));
  expect(others.map(({ status, body }) => [status, body])).toEqual([]);
  const tried = answers.filter(({ status }) => status === 401).length;
  expect(tried).toBeLessThanOrEqual(10);
  expect(tried).toBeGreaterThanOrEqual(10 - busy);
});

test("whoever gets in is not counted", async () => {
  const account = await deployment.newAccount();
  const address = freshAddress();
  for (let i = 0; i < 35; i++) {
    expect((await deployment.browser(address).signIn(account.email, account.password)).status).toBe(200);
  }
});
