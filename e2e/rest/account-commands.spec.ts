import { describe, expect, inject, test } from "vitest";
import { auditBooks } from "@/server/authorizations/audit-queries";
import { Browser } from "../browser";
import { GATEWAY_TOKEN } from "../product";
import { call, database, newGroup, newKey, rows } from "./client";
import { answerOf, command, linesOf, newOwner } from "./command";

const authorize = (apikey: string) =>
  call("POST", "/v1/authorizations", { key: GATEWAY_TOKEN, body: { apikey, amount: 2 } });
const capture = (id: string, amount = 1) =>
  call("POST", `/v1/authorizations/${id}/capture`, { key: GATEWAY_TOKEN, body: { amount } });

describe("account disable", () => {
  test("keys, sessions and the sign-in are refused at once, with a reason; enable lets them in again", async () => {
    const owner = await newOwner();
    const { apikey } = await newKey(owner);
    const browser = new Browser(inject("productUrl"));
    expect((await browser.signIn(owner.email, owner.password)).status).toBe(200);
    const held = (await authorize(apikey)).body.authorization_id;
    expect(answerOf(await command("account-disable", owner.email.toUpperCase()))).toEqual({
      ...{ account_id: owner.account_id, email: owner.email, state: "disabled", changed: true },
    });

    for (const key of [owner.apikey, apikey]) {
      const refused = await call("GET", "/v1/apikey_groups", { key });
      expect([refused.status, refused.body]).toEqual([401, { success: false, error: "API key missing or invalid" }]);
    }
    const own = await call("POST", "/v1/authorizations", { key: owner.apikey, body: { apikey, amount: 1 } });
    expect(own.status).toBe(401);
    const message = "The account of the API key is disabled.";
    expect((await authorize(apikey)).body).toMatchObject({ allowed: false, code: "account_disabled", message });
    const check = await call("POST", "/v1/authorizations/check", { key: GATEWAY_TOKEN, body: { apikey, amount: 1 } });
    expect(check.body).toMatchObject({
      ...{ allowed: false, code: "account_disabled", message },
      change: "Ask the operator of the service to enable the account.",
    });
    expect(check.body.limits[0]).toMatchObject({ code: "account_disabled", passes: false });
    const headers = { "Allowance-Key": apikey, "Allowance-Amount": "1" };
    const byHeaders = await call("GET", "/v1/authorizations/check", { key: GATEWAY_TOKEN, headers });
    expect([byHeaders.status, byHeaders.headers.get("allowance-code")]).toEqual([401, "account_disabled"]);
    // The money of a call that was made is gone.
    expect((await capture(held)).status).toBe(200);

    expect((await browser.get("/api/trpc/accounts.me")).status).toBe(401);
    const again = new Browser(inject("productUrl"));
    const wrong = await again.signIn(owner.email, "another password");
    expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
    const right = await again.signIn(owner.email, owner.password);
    expect([right.status, right.body]).toEqual([
      403,
      {
        success: false,
        error: "the account is disabled; ask whoever runs this service",
        code: "ACCOUNT_DISABLED",
      },
    ]);
    expect((await again.get("/api/trpc/accounts.me")).status).toBe(401);

    const listed = linesOf(await command("account-list"));
    expect(listed.find(({ email }) => email === owner.email)).toEqual({
      ...{ account_id: owner.account_id, email: owner.email, created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ...{ keys: 2, state: "disabled" },
    });

    const enabled = await command("account-enable", owner.account_id);
    expect(answerOf(enabled)).toMatchObject({ state: "active", changed: true });
    expect((await authorize(apikey)).body.allowed).toBe(true);
    expect((await again.signIn(owner.email, owner.password)).status).toBe(200);
    const { body: history } = await call("GET", "/v1/history", { key: owner.apikey });
    const actor = { kind: "command_line", name: "account:disable" };
    expect(history.data.filter(({ action }: { action: string }) => action === "account.disabled")).toMatchObject([
      { actor },
    ]);
    expect(history.data.filter(({ action }: { action: string }) => action === "account.enabled")).toHaveLength(1);
  });

  test("an account that does not exist: one line, exit 1", async () => {
    const { code, stdout, stderr } = await command("account-disable", "nobody@example.com");
    expect([code, stdout, stderr]).toEqual([1, "", "there is no account for nobody@example.com\n"]);
  });
});

describe("key rotate-default", () => {
  test("prints the new value once; with --grace the old one works on", async () => {
    const owner = await newOwner();
    const status = async (key: string) => (await call("GET", "/v1/apikey_groups", { key })).status;
    const first = answerOf(await command("key-rotate-default", owner.email, "--grace", "600"));
    expect(first).toEqual({
      ...{ account_id: owner.account_id, email: owner.email },
      apikey: expect.stringMatching(`^${owner.apikey.slice(0, 10)}[0-9A-Za-z]{38}$`),
      previous_value_until: expect.any(Number),
    });
    expect([await status(owner.apikey), await status(first.apikey)]).toEqual([200, 200]);
    const second = answerOf(await command("key-rotate-default", owner.account_id));
    expect(second.previous_value_until).toBeNull();
    expect([await status(owner.apikey), await status(first.apikey), await status(second.apikey)]).toEqual([
      401, 401, 200,
    ]);
    const wrong = await command("key-rotate-default", owner.email, "--grace", "soon");
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([2, "", expect.stringMatching(/^grace: must be a whole/)]);
  });
});

describe("account delete", () => {
  test("nothing of the account is left, and the books of the others are in order", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const group_id = await newGroup(owner);
    const { apikey } = await newKey(owner, { group_id, budget: 100 });
    const theirs = await newKey(other);
    for (const key of [apikey, theirs.apikey]) await capture((await authorize(key)).body.authorization_id);
    const held = (await authorize(apikey)).body.authorization_id;
    await call("POST", "/v1/saved_filters", { key: owner.apikey, body: { name: "mine", keys: { group_id } } });
    const models = [{ name: "mine", input_price: 1, output_price: 2 }];
    await call("POST", "/v1/models", { key: owner.apikey, body: { models } });
    const before = await rows(other);

    const refused = await command("account-delete", owner.email, "--yes");
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/^1 authorization of .* is held; .*--discard-held\. Nothing was changed\n$/);
    expect((await authorize(apikey)).body.allowed).toBe(true);
    const unasked = await command("account-delete", owner.email, "--discard-held");
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      expect.stringMatching(/^yes: required where nobody can be asked/),
    ]);

    const { deleted, ...rest } = answerOf(await command("account-delete", owner.email, "--yes", "--discard-held"));
    expect(rest).toEqual({ account_id: owner.account_id, email: owner.email, continued: false });
    expect(deleted).toMatchObject({
      account: 1,
      api_key: 2,
      api_key_group: 1,
      authorization: 3,
      ledger: 1,
      key_day: 1,
      saved_filter: 1,
      account_price: 1,
    });
    expect(Object.values(await rows(owner)).flat()).toEqual([]);
    expect((await call("GET", "/v1/apikey_groups", { key: owner.apikey })).status).toBe(401);
    expect((await authorize(apikey)).body.code).toBe("key_not_found");
    expect((await capture(held)).status).toBe(404);
    expect(await rows(other)).toEqual(before);
    const gone = await command("account-delete", owner.email, "--yes");
    expect([gone.code, gone.stderr]).toEqual([1, `there is no account for ${owner.email}\n`]);
  });

  test("one that was interrupted is left out of the audit, cannot be enabled, and can be gone on with", async () => {
    const owner = await newOwner();
    const { apikey } = await newKey(owner);
    await capture((await authorize(apikey)).body.authorization_id);
    await database.pool.query("UPDATE account SET disabled_at = now(), deleted_at = now() WHERE id = $1", [
      owner.account_id,
    ]);
    await database.pool.query("DELETE FROM ledger WHERE account_id = $1", [owner.account_id]);
    const client = await database.pool.connect();
    try {
      const { differences } = await auditBooks(client, 400);
      expect(differences.filter(({ account_id }) => account_id === owner.account_id)).toEqual([]);
    } finally {
      client.release();
    }
    const enabled = await command("account-enable", owner.email);
    expect([enabled.code, enabled.stderr]).toEqual([
      1,
      `the account ${owner.email} is being deleted, and cannot be enabled\n`,
    ]);
    // It counts its own rows alone, and says so.
    expect(answerOf(await command("account-delete", owner.account_id, "--yes"))).toMatchObject({
      ...{ continued: true, deleted: { account: 1, authorization: 1, ledger: 0 } },
    });
    expect(Object.values(await rows(owner)).flat()).toEqual([]);
  });

  test("the ledger and the default key of an account that is not marked cannot be deleted", async () => {
    const owner = await newOwner();
    const { apikey } = await newKey(owner);
    await capture((await authorize(apikey)).body.authorization_id);
    const where = "WHERE account_id = $1";
    for (const table of ["ledger", "api_key"]) {
      await expect(database.pool.query(`DELETE FROM ${table} ${where}`, [owner.account_id])).rejects.toThrow(
        /append-only|never deleted/,
      );
    }
  });
});
