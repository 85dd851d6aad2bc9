import { expect, test } from "vitest";
import { gatewayRow } from "./gateway-row";
import { asWords } from "./output";

test("a token for every account and without an end says so to a person, and nothing else changes", () => {
  const gateway = { name: "eu-1", accounts: null, expires: null, last_used_at: null };
  expect(asWords(gatewayRow(gateway))).toBe(
    ["name          eu-1", "accounts      all", "expires       never", "last used at  -"].join("\n"),
  );
  const bounded = { name: "eu-2", accounts: ["6920a1f0c3d4e5f60718293a"], expires: "2027-01-31" };
  expect(gatewayRow(bounded)).toEqual(bounded);
});
