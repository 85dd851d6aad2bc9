import { describe, expect, test } from "vitest";
import { clockVerdict, connectionsVerdict, durabilityVerdict } from "./database";
import { diskVerdict } from "./machine";

const MEGABYTE = 1024 * 1024;

describe("clock", () => {
  test.each([
    [0, 5, "ok", "0.0 s ahead of"],
    [-1_500, 5, "ok", "1.5 s behind"],
    [2_500, 1_000, "ok", "2.5 s ahead of"],
    [2_500, 5, "warning", "2.5 s ahead of"],
    [-29_000, 5, "warning", "29 s behind"],
    [60_000, 5, "failed", "60 s ahead of"],
  ])("%d ms, give or take %d: %s", (skew, uncertainty, state, words) => {
    const verdict = clockVerdict(skew, uncertainty);
    expect([verdict.state, verdict.found]).toEqual([state, expect.stringContaining(words)]);
    expect(verdict.todo === null).toBe(state === "ok");
  });
});

test.each([
  [100, 100_000, "failed"],
  [1_000, 100_000, "warning"],
  [1_000, 5_000, "ok"],
  [50_000, 100_000, "ok"],
])("disk: %d MB free of %d: %s", (free, all, state) => {
  expect(diskVerdict(free * MEGABYTE, all * MEGABYTE).state).toBe(state);
});

test("a setting that can lose an acknowledged capture fails, by its name", () => {
  const on = ["fsync", "full_page_writes", "synchronous_commit"].map((name) => ({ name, setting: "on" }));
  expect(durabilityVerdict(on).state).toBe("ok");
  expect(durabilityVerdict([...on, { name: "synchronous_commit", setting: "remote_apply" }]).state).toBe("ok");
  for (const { name } of on) {
    const verdict = durabilityVerdict(on.map((each) => (each.name === name ? { name, setting: "off" } : each)));
    expect(verdict).toMatchObject({ state: "failed", todo: `set ${name} = on` });
  }
});

test("connections: whether those of all workers fit", () => {
  expect(connectionsVerdict(97, 3, 2)).toMatchObject({ state: "ok", found: expect.stringContaining("up to 76") });
  expect(connectionsVerdict(97, 3, 3).state).toBe("warning");
});
