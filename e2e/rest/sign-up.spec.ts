import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callAt } from "./client";
import { Deployment, freshAddress, me, query } from "./deployment";

const PASSWORD = "a password of some length";

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start({ SIGN_UP: "open" });
});
afterAll(() => deployment.stop());

const signUp = (email: string, password = PASSWORD, address = freshAddress()) =>
  deployment.browser(address).post("/api/auth/sign-up", { email, password });

test("anyone may sign up: account and default key, signed in", async () => {
  const browser = deployment.browser();
  const email = `${randomUUID()}@example.com`;
  const created = await browser.post("/api/auth/sign-up", { email, password: PASSWORD });
  expect(created.status).toBe(200);
  expect((await me(browser)).body.result.data.email).toBe(email);
  expect((await callAt(deployment.product.url, "GET", "/v1/account", { key: created.body.apikey })).status).toBe(200);
  expect(await query(browser, "signInOptions")).toEqual({ sign_up: true, single_sign_on: null });
});

test("the time zone of a new account is spelled as in the list of zones", async () => {
  const browser = deployment.browser();
  const email = `${randomUUID()}@example.com`;
  await browser.post("/api/auth/sign-up", { email, password: PASSWORD, time_zone: "europe/berlin" });
  expect((await me(browser)).body.result.data.time_zone).toBe("Europe/Berlin");
});

test("an email that has an account is refused like a wrong password, whatever the password", async () => {
  const { email, password, account_id } = await deployment.newAccount();
  const wrong = await deployment.browser().signIn(`${randomUUID()}@example.com`, PASSWORD);
  for (const tried of [PASSWORD, password]) {
    const answer = await signUp(email.toUpperCase(), tried);
    expect([answer.status, answer.body]).toEqual([wrong.status, wrong.body]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  expect((await deployment.events(account_id)).map(({ action }) => action)).toEqual(["account.created"]);
});

test("what is wrong with a password is said alike, with and without an account", async () => {
  const { email } = await deployment.newAccount();
  const answers = [await signUp(email, "short"), await signUp(`${randomUUID()}@example.com`, "short")];
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
});

test("sign-ups are counted per address", async () => {
  const address = freshAddress();
  for (let i = 0; i < 10; i++)
    expect((await signUp(`${randomUUID()}@example.com`, PASSWORD, address)).status).toBe(200);
  expect((await signUp(`${randomUUID()}@example.com`, PASSWORD, address)).status).toBe(429);
});

test("refused sign-ups count as wrong passwords for the email, and the other way round", async () => {
  const { email } = await deployment.newAccount();
  const address = freshAddress();
  for (let i = 0; i < 5; i++) expect((await signUp(email, PASSWORD, address)).status).toBe(401);
  for (let i = 0; i < 5; i++) expect((await deployment.browser(address).signIn(email, PASSWORD)).status).toBe(401);
  expect((await signUp(email, PASSWORD, address)).status).toBe(429);
  expect((await deployment.browser(address).signIn(email, PASSWORD)).status).toBe(429);
});
