import { describe, expect, test } from "vitest";
import { call, newAccount, newKey } from "./client";

describe("200", () => {
  test("the account says which key is its default one", async () => {
    const account = await newAccount();
    await newKey(account);
    const { status, body } = await call("GET", "/v1/account", { key: account.apikey });
    expect(status).toBe(200);
    expect(body).toEqual({
      account_id: account.account_id,
      email: expect.stringMatching(/@example\.com$/),
      time_zone: "Asia/Shanghai",
      language: null,
      two_factor_enabled: false,
      default_apikey_id: account.apikey.slice(0, 10),
      created_at: expect.any(Number),
    });
  });

  test("a setting that is sent changes, the others stay", async () => {
    const { apikey: key } = await newAccount();
    await call("POST", "/v1/account", { key, body: { language: "zh-CN" } });
    const changed = await call("POST", "/v1/account", { key, body: { time_zone: "Europe/Berlin" } });
    expect(changed).toMatchObject({ status: 200, body: { time_zone: "Europe/Berlin", language: "zh-CN" } });
    expect((await call("POST", "/v1/account", { key, body: { language: null } })).body.language).toBeNull();
    expect((await call("GET", "/v1/account", { key })).body).toMatchObject({
      time_zone: "Europe/Berlin",
      language: null,
      default_apikey_id: key.slice(0, 10),
    });
  });
});

describe("400", () => {
  test.each([
    [{}, "at least one setting is required: time_zone, language"],
    [{ time_zone: "Mars/Olympus" }, "time_zone: must be an IANA time zone, for example Asia/Shanghai"],
    [{ time_zone: "+08:00" }, "time_zone: must be an IANA time zone, for example Asia/Shanghai"],
    [{ time_zone: 8 }, "time_zone: expected string, received number"],
    [{ language: "tlh" }, "language: must be one of en, zh-CN, or null"],
  ])("%j", async (body, error) => {
    const { apikey: key } = await newAccount();
    expect(await call("POST", "/v1/account", { key, body })).toMatchObject({
      status: 400,
      body: { success: false, error },
    });
  });
});

test("403: a key that is not the default one", async () => {
  const { apikey: key } = await newKey(await newAccount());
  expect((await call("GET", "/v1/account", { key })).status).toBe(403);
  expect((await call("POST", "/v1/account", { key, body: { language: "en" } })).status).toBe(403);
});
