import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { database } from "../testing/database";
import { inTurn } from "./turn";

const HOUR_MS = 60 * 60 * 1000;
const { pool } = database;

/** Sets back when a turn was taken. */
const age = (name: string, ms: number) =>
  pool.query("UPDATE rate_limit SET last_request = last_request - $2 WHERE key = $1", [`turn: ${name}`, ms]);

test("of many who ask at once, one does the work, until it is due again", async () => {
  const name = randomUUID();
  let done = 0;
  const ask = () => inTurn(pool, name, HOUR_MS, async () => void done++);
  await Promise.all(Array.from({ length: 10 }, ask));
  expect(done).toBe(1);
  await age(name, HOUR_MS - 60_000);
  await ask();
  expect(done).toBe(1);
  await age(name, 60_000);
  await Promise.all([ask(), ask()]);
  expect(done).toBe(2);
});

test("a turn that another process took after this one had read the clock is taken", async () => {
  const name = randomUUID();
  let done = 0;
  const ask = () => inTurn(pool, name, HOUR_MS, async () => void done++);
  await ask();
  await age(name, -60_000);
  await ask();
  expect(done).toBe(1);
});

test("work that fails is due at once", async () => {
  const name = randomUUID();
  const failing = inTurn(pool, name, HOUR_MS, () => Promise.reject(new Error("it failed")));
  await expect(failing).rejects.toThrow("it failed");
  let done = 0;
  await inTurn(pool, name, HOUR_MS, async () => void done++);
  expect(done).toBe(1);
});

test("a turn from before the clock was set back keeps nobody from the work", async () => {
  const name = randomUUID();
  let done = 0;
  const ask = () => inTurn(pool, name, HOUR_MS, async () => void done++);
  await ask();
  await age(name, -10 * HOUR_MS);
  await ask();
  expect(done).toBe(2);
});
