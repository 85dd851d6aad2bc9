import { afterAll, describe, expect, inject, test } from "vitest";
import { findPooler } from "@/server/db/pooler";
import { startPgBouncer, withoutPgBouncer } from "./pgbouncer";

const reason = withoutPgBouncer();
if (reason) console.log(`skipped: ${reason}`);

test("PostgreSQL itself is no pooler", async () => {
  expect(await findPooler(inject("databaseUrl"))).toEqual({ mode: "none", keepsStatements: true });
});

describe.skipIf(reason)("PgBouncer", () => {
  const open: { stop(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const each of open.reverse()) await each.stop();
  });
  test("is found, with its mode, also while others use it", async () => {
    const session = await startPgBouncer(inject("databaseUrl"), "session");
    open.push(session);
    expect(await findPooler(session.url)).toEqual({ mode: "session", keepsStatements: true });
    const transaction = await startPgBouncer(inject("databaseUrl"), "transaction");
    open.push(transaction);
    for (let i = 0; i < 3; i++) {
      const found = await Promise.all([1, 2, 3, 4, 5].map(() => findPooler(transaction.url)));
      expect(found).toEqual(Array(5).fill({ mode: "transaction", keepsStatements: false }));
    }
  });
});
