import { describe, expect, test } from "vitest";
import { call, newAccount, newGroup, newKey } from "./client";

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
      gateway_url: null,
      two_factor_enabled: false,
      default_apikey_id: account.apikey.slice(0, 10),
      created_at: expect.any(Number),
    });
  });

  test.each(["UTC", "EST", "PST8PDT", "Pacific/Apia"])("%s is a time zone", async (time_zone) => {
    const { apikey: key } = await newAccount();
    expect((await call("POST", "/v1/account", { key, body: { time_zone } })).body).toMatchObject({ time_zone });
  });

  test.each([
    ["asia/shanghai", "Asia/Shanghai"],
    ["us/EASTERN", "US/Eastern"],
    ["utc", "UTC"],
  ])("%s is answered as the list spells it", async (time_zone, listed) => {
    const { apikey: key } = await newAccount();
    expect((await call("POST", "/v1/account", { key, body: { time_zone } })).body.time_zone).toBe(listed);
    const { body } = await call("GET", "/v1/history?action=account.settings_changed", { key });
    // Another spelling of the zone that it has is no change.
    expect(body.data).toMatchObject(listed === "Asia/Shanghai" ? [] : [{ after: { time_zone: listed } }]);
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

const GATEWAY_FAULT =
  "gateway_url: must be http:// or https://, a host and perhaps a path, without a password, a query or a fragment";

describe("400", () => {
  test.each([
    [{}, "at least one setting is required: time_zone, language, gateway_url"],
    [{ time_zone: "Mars/Olympus" }, "time_zone: must be an IANA time zone, for example Asia/Shanghai"],
    [{ time_zone: "+08:00" }, "time_zone: must be an IANA time zone, for example Asia/Shanghai"],
    [{ time_zone: 8 }, "time_zone: expected string, received number"],
    // The database takes these for abbreviations: of one offset all year, and of Israel.
    [
      { time_zone: "CET" },
      "time_zone: must be the time zone of a place that the database knows, for example Europe/Berlin",
    ],
    [
      { time_zone: "IST" },
      "time_zone: must be the time zone of a place that the database knows, for example Europe/Berlin",
    ],
    [{ language: "tlh" }, "language: must be one of en, zh-CN, or null"],
    [{ language: 1 }, "language: expected one of en, zh-CN, or null, received number"],
    [{ gateway_url: "gateway.example.com" }, GATEWAY_FAULT],
    [{ gateway_url: 'https://a.example/"; rm -rf $HOME' }, GATEWAY_FAULT],
    [{ gateway_url: "https://user:secret@a.example" }, GATEWAY_FAULT],
    [{ gateway_url: "https://a.example/v1?key=1" }, GATEWAY_FAULT],
    [{ gateway_url: `https://a.example/${"x".repeat(500)}` }, "gateway_url: must be at most 500 characters long"],
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

test("the first steps, each done when it is", async () => {
  const account = await newAccount();
  const { apikey: key } = account;
  const steps = async () => (await call("GET", "/v1/account/first_steps", { key })).body;
  const none = { group: false, key: false, gateway: false, call: false };
  expect(await steps()).toEqual(none);
  await newGroup(account);
  expect(await steps()).toEqual({ ...none, group: true });
  const { apikey } = await newKey(account);
  expect(await steps()).toEqual({ ...none, group: true, key: true });
  const { body } = await call("POST", "/v1/account", { key, body: { gateway_url: "https://gateway.example.com/v1/" } });
  expect(body.gateway_url).toBe("https://gateway.example.com/v1");
  await call("POST", "/v1/authorizations", { key, body: { apikey, amount: 1 } });
  expect(await steps()).toEqual({ group: true, key: true, gateway: true, call: true });
  await call("POST", "/v1/account", { key, body: { gateway_url: null } });
  expect(await steps()).toMatchObject({ gateway: false });
});
