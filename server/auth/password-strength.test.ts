import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { makePassword } from "./accounts";
import { judgePassword } from "./password-strength";
import { PASSWORD_LENGTH } from "./schema";

const EMAIL = "mary.miller@acme-tools.example";
const fault = (password: string, email = EMAIL) => judgePassword(password, email).fault;

test("a password has 12 to 128 characters", () => {
  expect(PASSWORD_LENGTH).toEqual({ min: 12, max: 128 });
  expect(fault("h7Kq2vX9mP4")).toBe("tooShort");
  expect(fault("h7Kq2vX9mP4z")).toBeUndefined();
  expect(fault("h7Kq2vX9mP4z".repeat(11).slice(0, 128))).toBeUndefined();
  expect(fault("h7Kq2vX9mP4z".repeat(11).slice(0, 129))).toBe("tooLong");
});

test("none of the 10,000 commonest passwords is taken, as they are or doubled until they are long enough", () => {
  const commonest = [...dictionary["passwords-common"]].slice(0, 10_000);
  expect(commonest).toHaveLength(10_000);
  const long = commonest.filter((password) => password.length >= PASSWORD_LENGTH.min);
  expect(long).toContain("1qaz2wsx3edc");
  for (const password of long) expect([password, fault(password)]).toEqual([password, "tooCommon"]);
  for (const password of ["password", "123456", "iloveyou", "qwerty"]) {
    expect(fault(password.repeat(Math.ceil(PASSWORD_LENGTH.min / password.length)))).toBe("tooCommon");
  }
});

test.each([
  "password1234",
  "Password1234!",
  "123456789012",
  "qwertyuiop12",
  "aaaaaaaaaaaa",
  "abcabcabcabc",
  "1212121212121212121212121212121212121212",
  "allowance123",
])("%s is too easy to guess", (password) => {
  expect(fault(password)).toBe("tooCommon");
});

test.each([
  "mary.miller@acme-tools.example",
  "MaryMiller2024",
  "12mary34miller",
  "acme-tools.example",
  "1234acme-tools!",
  "Miller!!!!!!!!",
])("%s is made of the email", (password) => {
  expect(fault(password)).toBe("madeOfEmail");
});

test.each([
  "a password of some length",
  "correct horse battery",
  "mary had a little lamb once",
  "我家的猫今天又没有吃早饭呢",
  "x7Gk2mQ9vTz4",
])("%s may be set", (password) => {
  expect(fault(password)).toBeUndefined();
});

test("a short part of an address is no word, and without an address the other rules hold", () => {
  expect(fault("joyful jokes jog along", "jo@ab.example")).toBeUndefined();
  expect(fault("correct horse battery", "")).toBeUndefined();
  expect(fault("password1234", "")).toBe("tooCommon");
});

test("a password that the product makes is as strong as can be", () => {
  for (let n = 0; n < 20; n++) expect(judgePassword(makePassword(), EMAIL)).toEqual({ strength: 3 });
});

test("the strength grows with the guesses that the password takes", () => {
  const strengths = ["password1234", "january12021990", "another password", "x7Gk2mQ9vTz4"];
  expect(strengths.map((password) => judgePassword(password, EMAIL).strength)).toEqual([0, 1, 2, 3]);
});
