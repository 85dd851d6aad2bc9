import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { database } from "../testing/database";
import { type Database, openDatabase } from "./client";
import { isDatabaseUnavailable } from "./failure";

const address = new URL(inject("databaseUrl"));
const sockets = new Set<Socket>();
/** Hands on what is sent to the database, until it breaks the connections. */
const way = createServer((client) => {
  const onward = connect(Number(address.port), address.hostname);
  client.pipe(onward).pipe(client);
  for (const [socket, other] of [
    [client, onward],
    [onward, client],
  ] as const) {
    socket.on("error", () => {});
    socket.on("close", () => other.destroy());
  }
  sockets.add(client);
});
let url: string;
let db: Database;

beforeAll(async () => {
  await once(way.listen(0, "127.0.0.1"), "listening");
  url = Object.assign(new URL(address), { port: String((way.address() as AddressInfo).port) }).href;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  way.close();
});
beforeEach(() => {
  sockets.clear();
  db = openDatabase(url);
  return () => db.close();
});

/** Statements that would not end by themselves. */
const ENDLESS: [string, () => Promise<unknown>][] = [
  ["a raw query of Prisma", () => db.prisma.$queryRaw`SELECT pg_sleep(600)::text`],
  [
    "a statement in a transaction of Prisma",
    () => db.prisma.$transaction((transaction) => transaction.$executeRaw`SELECT pg_sleep(600)`),
  ],
  ["a query of pg", () => db.pool.query("SELECT pg_sleep(600)")],
  ["a look-up", () => db.lookUpPool.query("SELECT pg_sleep(600)")],
];

const ASKED = `FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()`;

describe.each(ENDLESS)("%s", (_, ask) => {
  test.each<[string, () => unknown]>([
    ["is reset", () => [...sockets].map((socket) => socket.resetAndDestroy())],
    ["is closed", () => [...sockets].map((socket) => socket.destroy())],
    ["is ended by PostgreSQL", () => database.pool.query(`SELECT pg_terminate_backend(pid) ${ASKED}`)],
  ])("whose connection %s may be tried again later", async (_how, end) => {
    const failure = ask().then(
      () => "answered",
      (error: unknown) => error,
    );
    await expect.poll(async () => (await database.pool.query(`SELECT ${ASKED}`)).rowCount).toBe(1);
    await end();
    const error = await failure;
    expect([isDatabaseUnavailable(error), error]).toEqual([true, expect.any(Error)]);
    // PostgreSQL goes on with it until it notices.
    await database.pool.query(`SELECT pg_terminate_backend(pid, 60000) ${ASKED}`);
  });

  test("that finds nobody at the address may be tried again later", async () => {
    const closed = createServer();
    await once(closed.listen(0, "127.0.0.1"), "listening");
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    await db.close();
    db = openDatabase(Object.assign(new URL(url), { port: String(port) }).href);
    await expect(ask().catch((error: unknown) => isDatabaseUnavailable(error))).resolves.toBe(true);
  });
});
