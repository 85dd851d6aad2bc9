import { AsyncLocalStorage, executionAsyncId } from "node:async_hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const tracing = vi.hoisted(() => ({ active: undefined as object | undefined }));
vi.mock("./tracing/active-tracing", () => ({ activeTracing: () => tracing.active }));
// The files of a worker share their modules: another one may have loaded this one already, with the real tracing.
vi.resetModules();
const { withContexts } = await import("./promise-hooks");

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  tracing.active = undefined;
});

/** Whether Node.js follows promises: only then what runs after one has a number. Never from Node.js 24 on. */
async function followsPromises(): Promise<boolean> {
  await null;
  return executionAsyncId() !== 0;
}
const canFollow = Number.parseInt(process.versions.node, 10) < 24;

test("promises are not followed when nothing has needed a context for a while", async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen = await withContexts(() =>
    storage.run("a page", async () => {
      await null;
      return storage.getStore();
    }),
  );
  expect(seen).toBe("a page");
  vi.advanceTimersByTime(4_999);
  expect(await followsPromises()).toBe(canFollow);
  vi.advanceTimersByTime(1);
  expect(await followsPromises()).toBe(false);
  expect(await storage.run("another page", async () => (await null) ?? storage.getStore())).toBe("another page");
});

test("a context lasts as long as what needs it, also when other work ends before", async () => {
  const storage = new AsyncLocalStorage<string>();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const slow = withContexts(() =>
    storage.run("a slow page", async () => {
      await held;
      return storage.getStore();
    }),
  );
  await withContexts(() => storage.run("a fast page", async () => {}));
  vi.advanceTimersByTime(60_000);
  letGo();
  expect(await slow).toBe("a slow page");
});

test("a page soon after another one starts the time again", async () => {
  const storage = new AsyncLocalStorage<string>();
  await withContexts(() => storage.run("a page", async () => {}));
  vi.advanceTimersByTime(3_000);
  await withContexts(() => storage.run("another page", async () => {}));
  vi.advanceTimersByTime(3_000);
  expect(await followsPromises()).toBe(canFollow);
  vi.advanceTimersByTime(2_000);
  expect(await followsPromises()).toBe(false);
});

test("where requests are traced, each has a context, also of the API", async () => {
  tracing.active = {};
  const storage = new AsyncLocalStorage<string>();
  const seen = storage.run("a traced request", async () => {
    await withContexts(() => {});
    vi.advanceTimersByTime(60_000);
    await null;
    return storage.getStore();
  });
  expect(await seen).toBe("a traced request");
});
