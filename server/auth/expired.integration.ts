import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { database, newAccount } from "../testing/database";
import { openOwnDatabase } from "../testing/own-database";
import { deleteExpired } from "./expired";

test("what has expired is deleted, and nothing else", async () => {
  const { prisma } = database;
  const { account_id: userId } = await newAccount();
  const expiresAt = new Date(Date.now() - 1_000);
  const id = randomUUID();
  const valid = randomUUID();
  await prisma.session.create({
    data: { id: valid, token: valid, userId, expiresAt: new Date(Date.now() + 60_000) },
  });
  await prisma.session.create({ data: { id, token: id, userId, expiresAt } });
  await prisma.verification.create({ data: { id, identifier: id, value: "", expiresAt } });
  const days = (count: number) => Date.now() - count * 86_400_000;
  const counts = { [id]: 2, [`known: young ${id}`]: 29, [`known: old ${id}`]: 31 };
  for (const [key, age] of Object.entries(counts)) {
    await prisma.rateLimit.create({ data: { id: randomUUID(), key, count: 1, lastRequest: days(age) } });
  }
  await deleteExpired(database);
  expect((await prisma.session.findMany({ where: { userId } })).map((session) => session.id)).toEqual([valid]);
  expect(await prisma.verification.count({ where: { id } })).toBe(0);
  const left = await prisma.rateLimit.findMany({ where: { key: { endsWith: id } } });
  expect(left.map(({ key }) => key)).toEqual([`known: young ${id}`]);
});

test("a process whose clock is ahead deletes no session that is valid", async () => {
  const { db, remove } = await openOwnDatabase();
  try {
    const { account_id: userId } = await newAccount(db);
    const id = randomUUID();
    await db.prisma.session.create({ data: { id, token: id, userId, expiresAt: new Date(Date.now() + 86_400_000) } });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 86_400_000 });
    await deleteExpired(db);
    expect(await db.prisma.session.count({ where: { id } })).toBe(1);
  } finally {
    vi.useRealTimers();
    await remove();
  }
});
