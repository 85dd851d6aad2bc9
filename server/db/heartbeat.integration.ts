import { pino } from "pino";
import { expect, inject, test } from "vitest";
import { Heartbeat } from "./heartbeat";

/** Longer than a check waits for the database. */
const BUSY_MS = 2_000;

test("a process that is busy does not take the database for silent, whose answer it has not read yet", async () => {
  const heartbeat = new Heartbeat({
    url: inject("databaseUrl"),
    db: { pools: [] },
    log: pino({ level: "silent" }),
    preparing: () => undefined,
    diskFault: undefined,
  });
  try {
    // The connections are there for the next one.
    await expect.poll(() => heartbeat.check()).toBeUndefined();
    const checking = heartbeat.check();
    for (const end = performance.now() + BUSY_MS; performance.now() < end; );
    expect(await checking).toBeUndefined();
  } finally {
    await heartbeat.close();
  }
});
