import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { database, newAccount } from "../testing/database";
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
  await prisma.rateLimit.create({ data: { id, key: id, count: 1, lastRequest: 0 } });
  await deleteExpired(database);
  expect((await prisma.session.findMany({ where: { userId } })).map((session) => session.id)).toEqual([valid]);
  expect(await prisma.verification.count({ where: { id } })).toBe(0);
  expect(await prisma.rateLimit.count({ where: { id } })).toBe(0);
});
