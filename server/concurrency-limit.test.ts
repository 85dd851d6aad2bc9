import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConcurrencyLimit, type Leave } from "./concurrency-limit";

const WAITS = { mostWaiting: 10, longestStandstill: 1000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Enters, and notes the name when the work may begin. */
function watch(limit: ConcurrencyLimit, begun: string[]) {
  return (name: string): Promise<Leave | undefined> => {
    const entered = limit.enter(name);
    void entered.then((leave) => leave && begun.push(name));
    return entered;
  };
}

test("as many as the bound begin at once; the others follow in order", async () => {
  const begun: string[] = [];
  const limit = new ConcurrencyLimit({ each: 2, ...WAITS });
  const entries = ["0", "1", "2", "3"].map(async (order) => {
    const leave = await limit.enter("a");
    begun.push(order);
    return leave;
  });
  const [first, second] = await Promise.all(entries.slice(0, 2));
  expect(begun).toEqual(["0", "1"]);
  first?.();
  await entries[2];
  expect(begun).toEqual(["0", "1", "2"]);
  second?.();
  await entries[3];
  expect(begun).toEqual(["0", "1", "2", "3"]);
});

test("names do not share their bound", async () => {
  const limit = new ConcurrencyLimit({ each: 1, ...WAITS });
  expect(await limit.enter("a")).toBeTypeOf("function");
  expect(await limit.enter("b")).toBeTypeOf("function");
});

test("names take turns at the bound of all, however long the queue of one is", async () => {
  const begun: string[] = [];
  const limit = new ConcurrencyLimit({ each: 2, total: 2, ...WAITS });
  const enter = watch(limit, begun);
  const leaves = await Promise.all([enter("a"), enter("a")]);
  const queue = ["a", "a", "a", "b", "b"].map(enter);
  for (const leave of leaves) leave?.();
  await Promise.all(queue.map(async (entry) => (await entry)?.()));
  expect(begun).toEqual(["a", "a", "a", "b", "a", "b", "a"]);
});

test("a wait goes on while work of the same name ends", async () => {
  const limit = new ConcurrencyLimit({ each: 2, ...WAITS });
  const [first, second] = await Promise.all([limit.enter("a"), limit.enter("a")]);
  const queue = [limit.enter("a"), limit.enter("a")];
  await vi.advanceTimersByTimeAsync(900);
  first?.();
  expect(await queue[0]).toBeTypeOf("function");
  await vi.advanceTimersByTimeAsync(900);
  second?.();
  expect(await queue[1]).toBeTypeOf("function");
});

test("only so many wait", async () => {
  const limit = new ConcurrencyLimit({ each: 1, ...WAITS, mostWaiting: 1 });
  const leave = await limit.enter("a");
  const waiting = limit.enter("a");
  expect(await limit.enter("a")).toBeUndefined();
  leave?.();
  leave?.();
  expect(await waiting).toBeTypeOf("function");
});

test("who waits too long may not begin, and keeps nobody from it", async () => {
  const limit = new ConcurrencyLimit({ each: 1, ...WAITS });
  const leave = await limit.enter("a");
  const late = limit.enter("a");
  await vi.advanceTimersByTimeAsync(999);
  const inTime = limit.enter("a");
  await vi.advanceTimersByTimeAsync(2);
  expect(await late).toBeUndefined();
  leave?.();
  expect(await inTime).toBeTypeOf("function");
});
