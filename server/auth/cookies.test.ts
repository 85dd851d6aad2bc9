import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signedCookies } from "./cookies";

const secrets = { current: "new", previous: ["old", "older"] };
const sign = (content: string, secret: string) =>
  encodeURIComponent(`${content}.${createHmac("sha256", secret).update(content).digest("base64")}`);
const read = (value: string, given = secrets) =>
  signedCookies(`allowance.session_token=${value}`, "http://localhost", given).map(({ content }) => content);

describe("the content of a cookie", () => {
  test.each(["new", "old", "older"])("that the secret %s has signed is read", (secret) => {
    expect(read(sign("token", secret))).toEqual(["token"]);
    expect(read(sign("a.b", secret))).toEqual(["a.b"]);
  });

  test.each([
    ["of another secret", sign("token", "another")],
    ["with another value", sign("token", "new").replace("token", "Token")],
    ["with half a signature", sign("token", "new").slice(0, -10)],
    ["without a signature", "token"],
    ["that is empty", ""],
    ["that cannot be decoded", "%E0%A4%A"],
    ["that is too long", sign("x".repeat(600), "new")],
  ])("%s is not", (_, value) => {
    expect(read(value)).toEqual([]);
  });

  test("of an earlier secret is not, once that is dropped", () => {
    expect(read(sign("token", "old"), { current: "new", previous: [] })).toEqual([]);
  });
});

test("cookies are passed on with the signature of the current secret, in their order, and no others", () => {
  const header = `theme=dark; allowance.a=${sign("1", "old")}; allowance.b=${sign("2", "new")}; allowance.c=junk`;
  expect(signedCookies(header, "http://localhost", secrets)).toEqual([
    { name: "allowance.a", content: "1", signed: sign("1", "new") },
    { name: "allowance.b", content: "2", signed: sign("2", "new") },
  ]);
  expect(signedCookies(header, "https://localhost", secrets)).toEqual([]);
});
