import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../browser";
import { callAt } from "./client";
import { Deployment, me } from "./deployment";
import { CREATED, USED } from "./passkey-forms";

const PASSWORD = "a password of some length";

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start();
});
afterAll(() => deployment.stop());

describe("a proof of who the owner is, when the last one is older than 15 minutes", () => {
  /** A browser whose sign-in is so many seconds old. */
  async function signedInAgo(seconds: number) {
    const { account, browser } = await deployment.signedIn();
    await age(account.account_id, seconds);
    const { apikey_id: defaultKey } = await deployment.db.prisma.apiKey
      .findFirstOrThrow({ where: { accountId: account.account_id } })
      .then(({ id }) => ({ apikey_id: id }));
    return { account, browser, defaultKey };
  }
  const age = (accountId: string, seconds: number) =>
    deployment.db.pool.query("UPDATE session SET proved_at = now() - make_interval(secs => $2) WHERE account_id = $1", [
      accountId,
      seconds,
    ]);
  const rotate = (browser: Browser, apikey_id: string) => browser.post("/api/trpc/keys.rotate", { apikey_id });
  const codeOf = ({ body }: { body: { error?: { data?: { failure?: { code?: string } } } } }) =>
    body.error?.data?.failure?.code;
  const QUARTER_HOUR = 15 * 60;

  test("is wanted before the default key is rotated, and the password gives it", async () => {
    const { account, browser, defaultKey } = await signedInAgo(QUARTER_HOUR + 1);
    const refused = await rotate(browser, defaultKey);
    expect([refused.status, codeOf(refused)]).toEqual([403, "proof_required"]);
    const key = { key: account.apikey };
    expect((await callAt(deployment.product.url, "GET", "/v1/account", key)).status).toBe(200);

    const wrong = await browser.post("/api/auth/prove/password", { password: PASSWORD });
    expect([wrong.status, wrong.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    expect((await rotate(browser, defaultKey)).status).toBe(403);
    const proven = await browser.post("/api/auth/prove/password", { password: account.password });
    expect([proven.status, proven.headers.getSetCookie()]).toEqual([200, []]);
    expect((await rotate(browser, defaultKey)).status).toBe(200);
    expect((await callAt(deployment.product.url, "GET", "/v1/account", key)).status).toBe(401);
  });

  test("is not wanted until then, for another key, or from whoever sends the default key itself", async () => {
    const { account, browser, defaultKey } = await signedInAgo(QUARTER_HOUR - 60);
    const created = await browser.post("/api/trpc/keys.create", { name: "another" });
    expect((await rotate(browser, defaultKey)).status).toBe(200);
    await age(account.account_id, QUARTER_HOUR + 1);
    const other = created.body.result.data.apikey.slice(0, 10);
    expect((await rotate(browser, other)).status).toBe(200);
    const program = await deployment.newAccount();
    const path = `/v1/apikeys/${program.apikey.slice(0, 10)}/rotate`;
    expect((await callAt(deployment.product.url, "POST", path, { key: program.apikey, body: {} })).status).toBe(200);
  });

  test.each([
    ["deleting a group", "groups.delete", { group_id: "0123456789abcdef01234567" }],
    ["revoking a key", "keys.revoke", { apikey_id: "sk-0000000" }],
    ["revoking many keys", "keys.batch", { apikey_ids: ["sk-0000000"], action: "revoke" }],
    ["removing a passkey", "accounts.removePasskey", { passkey_id: "none" }],
    ["renaming a passkey", "accounts.renamePasskey", { passkey_id: "none", name: "a name" }],
  ])("is wanted for %s", async (_, procedure, input) => {
    const { account, browser } = await signedInAgo(QUARTER_HOUR + 1);
    const refused = await browser.post(`/api/trpc/${procedure}`, input);
    expect([refused.status, codeOf(refused)]).toEqual([403, "proof_required"]);
    await browser.post("/api/auth/prove/password", { password: account.password });
    expect(codeOf(await browser.post(`/api/trpc/${procedure}`, input))).not.toBe("proof_required");
  });

  test("is wanted for a new passkey, at its beginning and at its end", async () => {
    const { account, browser } = await signedInAgo(QUARTER_HOUR + 1);
    const begin = () => browser.get("/api/auth/passkey/generate-register-options");
    const end = () => browser.post("/api/auth/passkey/verify-registration", { response: CREATED, name: "a name" });
    for (const refused of [await begin(), await end()]) {
      expect([refused.status, refused.body.code]).toEqual([403, "PROOF_REQUIRED"]);
    }
    await browser.post("/api/auth/prove/password", { password: account.password });
    expect((await begin()).status).toBe(200);
  });

  test("is not wanted for signing other browsers out, because that must be quick", async () => {
    const { account, browser } = await signedInAgo(QUARTER_HOUR + 1);
    const other = deployment.browser();
    await other.signIn(account.email, account.password);
    expect((await browser.post("/api/trpc/accounts.revokeOtherSessions")).status).toBe(200);
    expect((await me(other)).status).toBe(401);
  });

  test("counts for the session in which it was given", async () => {
    const { account, browser, defaultKey } = await signedInAgo(QUARTER_HOUR + 1);
    const other = deployment.browser();
    await other.signIn(account.email, account.password);
    expect((await rotate(browser, defaultKey)).status).toBe(403);
    expect((await rotate(other, defaultKey)).status).toBe(200);
  });

  test("is counted like every attempt at the password, and is nothing for a stranger", async () => {
    const { account, browser } = await signedInAgo(QUARTER_HOUR + 1);
    for (let i = 0; i < 10; i++) {
      expect((await browser.post("/api/auth/prove/password", { password: PASSWORD })).status).toBe(400);
    }
    expect((await browser.post("/api/auth/prove/password", { password: account.password })).status).toBe(429);
    for (const [path, body] of [
      ["password", { password: account.password }],
      ["passkey", { response: USED }],
    ] as const) {
      const stranger = await deployment.browser().post(`/api/auth/prove/${path}`, body);
      expect([stranger.status, stranger.body.code]).toEqual([401, "SIGNED_OUT"]);
    }
  });

  test.each([{}, { password: 5 }, { password: null }])("a proof of %j is a clear 400", async (body) => {
    const { browser } = await deployment.signedIn();
    const answer = await browser.post("/api/auth/prove/password", body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining("password")]);
  });
});
