import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AccountId } from "./account-id";
import { hashGatewayToken, makeGatewayToken } from "./gateway";
import { KnownSpenders, type SpendCredential } from "./known-spenders";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const newCredential = (): { token: string; credential: SpendCredential } => {
  const token = makeGatewayToken();
  return { token, credential: { hash: hashGatewayToken(token), spender: "a" as AccountId, key: undefined } };
};

test("a credential is known for a second, and then when it was found valid again", () => {
  const known = new KnownSpenders();
  const { token, credential } = newCredential();
  expect(known.find(token)).toBeUndefined();
  known.note(credential);
  vi.advanceTimersByTime(999);
  expect(known.find(token)).toMatchObject(credential);
  expect(known.find(makeGatewayToken())).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(known.find(token)).toBeUndefined();
  known.note(credential);
  expect(known.find(token)).toMatchObject(credential);
  known.forget(credential);
  expect(known.find(token)).toBeUndefined();
});

test("of many, the last 500 are known", () => {
  const known = new KnownSpenders();
  const all = Array.from({ length: 5_000 }, newCredential);
  for (const { credential } of all) known.note(credential);
  expect(all.slice(-500).every(({ token }) => known.find(token) !== undefined)).toBe(true);
  expect(all.filter(({ token }) => known.find(token) !== undefined).length).toBeLessThanOrEqual(1_000);
});
