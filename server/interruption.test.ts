import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.resetModules();
});

test("a process that cannot undo its work ends after 10 s, and ignores a second signal until then", async () => {
  vi.useFakeTimers();
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const listeners = () => SIGNALS.reduce((sum, signal) => sum + process.listenerCount(signal), 0);
  const before = listeners();
  // That a process ends is a state of the module.
  vi.resetModules();
  const { undoneIfInterrupted } = await import("./interruption");
  const never = new Promise<void>(() => {});
  void undoneIfInterrupted(
    () => never,
    () => never,
  );
  process.emit("SIGINT", "SIGINT");
  process.emit("SIGINT", "SIGINT");
  process.emit("SIGTERM", "SIGTERM");
  process.emit("SIGHUP", "SIGHUP");
  await vi.advanceTimersByTimeAsync(9_999);
  expect([kill.mock.calls, listeners()]).toEqual([[], before + SIGNALS.length]);
  await vi.advanceTimersByTimeAsync(1);
  expect([kill.mock.calls, listeners()]).toEqual([[[process.pid, "SIGINT"]], before]);
});
