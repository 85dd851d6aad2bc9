import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, totpCode } from "../browser";
import { startProduct } from "../product";
import { Deployment, me, query } from "./deployment";
import { type OidcProvider, oidcSettings, startOidcProvider } from "./oidc-provider";

describe("open, under https, with single sign-on", () => {
  const origin = "https://keys.example.com";
  let provider: OidcProvider;
  let deployment: Deployment;
  beforeAll(async () => {
    provider = await startOidcProvider();
    deployment = await Deployment.start({
      SIGN_UP: "open",
      ...(await oidcSettings(provider)),
      PUBLIC_URL: `${origin}/`,
      OIDC_NAME: "Example ID",
      AUTH_SECRET: "a secret that two processes of this test share",
    });
  });
  afterAll(async () => {
    await deployment.stop();
    provider.stop();
  });
  const at = { origin };
  const visitor = () => deployment.browser(undefined, at);

  /** Follows the way to the provider and back. The claims are those of the person who signs in there. */
  async function goThrough(browser: Browser, path: string, next: string, claims: Claims) {
    const body = { provider: "oidc", callbackURL: next, errorCallbackURL: next, disableRedirect: true };
    const started = await browser.post(`/api/auth${path}`, body, at);
    expect(started.status).toBe(200);
    const back = provider.agree(started.body.url, { email_verified: true, ...claims });
    expect(back).toContain(`${origin}/api/auth/callback/oidc?`);
    const answer = await browser.get(back.slice(origin.length));
    return { browser, location: answer.headers.get("location"), status: answer.status };
  }
  type Claims = { sub: string; email: string; email_verified?: boolean };
  const signIn = ({ sub = randomUUID(), ...claims }: Partial<Claims> & { email: string }) =>
    goThrough(visitor(), "/sign-in/social", "/keys", { sub, ...claims });
  const link = (browser: Browser, claims: Claims) => goThrough(browser, "/link-social", "/settings", claims);

  /** An account with a password, and its browser. */
  async function owner() {
    const account = await deployment.newAccount();
    const browser = visitor();
    expect((await browser.post("/api/auth/sign-in/email", account, at)).status).toBe(200);
    return { account, browser };
  }
  const identities = (userId: string) =>
    deployment.db.prisma.signInMethod.findMany({ where: { userId, providerId: "oidc" } });

  test("the email of an account opens it for nobody: its owner must link first", async () => {
    const account = await deployment.newAccount();
    const { browser, location } = await signIn({ email: account.email });
    expect(location).toBe("/keys?error=account_not_linked");
    expect((await me(browser)).status).toBe(401);
    expect(await identities(account.account_id)).toEqual([]);
  });

  test("the owner links, signs in by it, and unlinks; all of it stands in the history", async () => {
    const { account, browser } = await owner();
    const claims = { sub: randomUUID(), email: account.email };
    expect(await query(browser, "signInMethods")).toMatchObject({ has_password: true, single_sign_on: null });
    expect((await link(browser, claims)).location).toBe("/settings");
    expect(await query(browser, "signInMethods")).toMatchObject({ single_sign_on: { linked_at: expect.any(Number) } });
    expect(await identities(account.account_id)).toMatchObject([
      { accountId: claims.sub, accessToken: null, refreshToken: null, idToken: null },
    ]);

    const other = await signIn(claims);
    expect(other.location).toBe("/keys");
    expect((await me(other.browser)).body.result.data.account_id).toBe(account.account_id);

    expect((await browser.post("/api/trpc/accounts.unlinkSingleSignOn", {}, at)).status).toBe(200);
    expect((await browser.post("/api/trpc/accounts.unlinkSingleSignOn", {}, at)).status).toBe(404);
    expect((await signIn(claims)).location).toBe("/keys?error=account_not_linked");
    expect(
      (await deployment.events(account.account_id)).map(({ action, before, after }) => [action, before, after]),
    ).toEqual([
      ["account.created", expect.anything(), expect.anything()],
      ["sign_in.sso_linked", expect.anything(), { provider: "oidc" }],
      ["sign_in.sso_unlinked", { provider: "oidc" }, expect.anything()],
    ]);
  });

  test("a disabled account: back at the sign-in, which says so", async () => {
    const { account, browser } = await owner();
    const claims = { sub: randomUUID(), email: account.email };
    await link(browser, claims);
    const { prisma } = deployment.db;
    await prisma.account.update({ where: { id: account.account_id }, data: { disabledAt: new Date() } });
    const refused = await signIn(claims);
    expect(refused.location).toBe("/sign-in?error=account_disabled");
    expect((await me(refused.browser)).status).toBe(401);
    await prisma.account.update({ where: { id: account.account_id }, data: { disabledAt: null } });
    expect((await signIn(claims)).location).toBe("/keys");
  });

  test("a second identity of the provider is refused: by its email, and by a link", async () => {
    const { account, browser } = await owner();
    const first = { sub: randomUUID(), email: account.email };
    const another = { sub: randomUUID(), email: account.email };
    // Both begin before either is done, in two browsers.
    const elsewhere = visitor();
    await elsewhere.post("/api/auth/sign-in/email", account, at);
    const begun = await elsewhere.post(
      "/api/auth/link-social",
      { provider: "oidc", callbackURL: "/settings", errorCallbackURL: "/settings" },
      at,
    );
    expect((await link(browser, first)).location).toBe("/settings");
    const back = provider.agree(begun.body.url, { email_verified: true, ...another });
    expect((await elsewhere.get(back.slice(origin.length))).headers.get("location")).toBe(
      "/settings?error=already_linked",
    );

    const again = await browser.post("/api/auth/link-social", { provider: "oidc", callbackURL: "/settings" }, at);
    expect([again.status, again.body.code]).toEqual([409, "ALREADY_LINKED"]);
    expect((await signIn(another)).location).toBe("/keys?error=account_not_linked");
    await expect(
      deployment.db.prisma.signInMethod.create({
        data: { id: randomUUID(), userId: account.account_id, providerId: "oidc", accountId: another.sub },
      }),
    ).rejects.toThrow();
    expect((await identities(account.account_id)).map(({ accountId }) => accountId)).toEqual([first.sub]);
  });

  test("of two links that end at the same moment, one is made", async () => {
    const { account, browser } = await owner();
    const elsewhere = visitor();
    await elsewhere.post("/api/auth/sign-in/email", account, at);
    const body = { provider: "oidc", callbackURL: "/settings", errorCallbackURL: "/settings" };
    const begun = [browser, elsewhere].map(async (each) => {
      const { url } = (await each.post("/api/auth/link-social", body, at)).body;
      return provider.agree(url, { sub: randomUUID(), email: account.email, email_verified: true });
    });
    const [one = "", two = ""] = await Promise.all(begun);
    const answers = await Promise.all([browser.get(one.slice(origin.length)), elsewhere.get(two.slice(origin.length))]);
    const outcomes = answers.map(({ headers, body }) => headers.get("location") ?? body.code);
    expect(outcomes.filter((outcome) => outcome === "/settings")).toHaveLength(1);
    for (const outcome of outcomes)
      expect(outcome).toMatch(/^(\/settings|\/settings\?error=already_linked|ALREADY_LINKED)$/);
    expect(await identities(account.account_id)).toHaveLength(1);
  });

  test("an identity opens one account: another cannot link it", async () => {
    const [one, two] = [await owner(), await owner()];
    const sub = randomUUID();
    await link(one.browser, { sub, email: one.account.email });
    const { location } = await link(two.browser, { sub, email: two.account.email });
    expect(location).toMatch(/^\/settings\?error=account_already_linked_to_different_user/);
    expect(await identities(two.account.account_id)).toEqual([]);
  });

  test("linking wants a session, at its beginning and at its end, and the email of the account", async () => {
    const stranger = visitor();
    const refused = await stranger.post("/api/auth/link-social", { provider: "oidc", callbackURL: "/settings" }, at);
    expect(refused.status).toBe(401);

    const { account, browser } = await owner();
    const claims = { sub: randomUUID(), email: account.email, email_verified: true };
    const body = { provider: "oidc", callbackURL: "/settings", errorCallbackURL: "/settings" };
    for (const end of ["sign-out", "another account"]) {
      await browser.post("/api/auth/sign-in/email", account, at);
      const started = await browser.post("/api/auth/link-social", body, at);
      await browser.post("/api/auth/sign-out", {}, at);
      if (end === "another account") await browser.post("/api/auth/sign-in/email", await deployment.newAccount(), at);
      const back = await browser.get(provider.agree(started.body.url, claims).slice(origin.length));
      expect([end, back.headers.get("location")]).toEqual([end, "/settings?error=session_ended"]);
    }
    await browser.post("/api/auth/sign-in/email", account, at);
    const other = await link(browser, { sub: randomUUID(), email: `${randomUUID()}@example.com` });
    expect(other.location).toMatch(/^\/settings\?error=email_does_not_match/);
    const unverified = await link(browser, { ...claims, email_verified: false });
    expect(unverified.location).toMatch(/^\/settings\?error=email_not_verified/);
    expect(await identities(account.account_id)).toEqual([]);
  });

  test("the last way to sign in stays: single sign-on, or a passkey", async () => {
    const email = `${randomUUID()}@example.com`;
    const { browser } = await signIn({ email });
    const { account_id: userId } = (await me(browser)).body.result.data;
    const unlink = () => browser.post("/api/trpc/accounts.unlinkSingleSignOn", {}, at);
    const refused = await unlink();
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      "this is the only way to sign in to the account; add another one first",
    ]);
    const passkey = { publicKey: "public", counter: 0, deviceType: "singleDevice", backedUp: false };
    const id = randomUUID();
    await deployment.db.prisma.passkey.create({ data: { id, userId, credentialID: id, ...passkey } });
    // Both at once: one of them is the last.
    const removal = () => browser.post("/api/trpc/accounts.removePasskey", { passkey_id: id }, at);
    const answers = await Promise.all([unlink(), removal()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const left = (await identities(userId)).length + (await deployment.db.prisma.passkey.count({ where: { userId } }));
    expect(left).toBe(1);
  });

  test("nothing but the way through the provider signs in: no identity token, no scopes of the caller's own", async () => {
    for (const [name, value] of Object.entries({
      idToken: { token: "x" },
      scopes: ["all"],
      additionalParams: {},
      requestSignUp: true,
    })) {
      const answer = await visitor().post("/api/auth/sign-in/social", { provider: "oidc", [name]: value }, at);
      expect([answer.status, answer.body.error]).toEqual([400, `${name}: is not offered`]);
    }
  });

  test("a second factor is asked for after it; the way goes on to where it led", async () => {
    const { account, browser } = await owner();
    const claims = { sub: randomUUID(), email: account.email };
    await link(browser, claims);
    const enabled = await browser.post("/api/auth/two-factor/enable", { password: account.password }, at);
    const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
    expect((await browser.post("/api/auth/two-factor/verify-totp", { code: totpCode(secret) }, at)).status).toBe(200);

    const { browser: second, location, status } = await signIn(claims);
    expect([status, location]).toEqual([302, "/sign-in?step=second-factor&next=%2Fkeys"]);
    expect((await me(second)).status).toBe(401);
    expect([...second.cookies.keys()]).toEqual(["__Host-allowance.two_factor"]);
    const next = { code: totpCode(secret, Date.now() + 30_000) };
    expect((await second.post("/api/auth/two-factor/verify-totp", next, at)).status).toBe(200);
    expect((await me(second)).status).toBe(200);
    const signIns = await deployment.db.prisma.event.findMany({
      where: { accountId: account.account_id, action: "sign_in.signed_in" },
      orderBy: { id: "asc" },
    });
    expect(signIns.at(-1)?.after).toEqual({ method: "single_sign_on", second_factor: "totp" });

    // With a provider that asks for one itself, the operator turns it off.
    const trusting = await startProduct({
      env: { ...deployment.env, PORT: "0", DATABASE_URL: deployment.databaseUrl, OIDC_SKIP_TOTP: "true" },
    });
    try {
      const third = new Browser(trusting.url, deployment.browser().headers);
      expect((await goThrough(third, "/sign-in/social", "/keys", claims)).location).toBe("/keys");
      expect((await me(third)).status).toBe(200);
    } finally {
      await trusting.stop();
    }
  });

  test("an email that the provider has not verified opens nothing", async () => {
    for (const email of [(await deployment.newAccount()).email, `${randomUUID()}@example.com`]) {
      const { browser, location } = await signIn({ email, email_verified: false });
      expect(location).toMatch(/^\/keys\?error=/);
      expect((await me(browser)).status).toBe(401);
    }
    expect((await visitor().get("/api/auth/callback/oidc?error=access_denied")).headers.get("location")).toMatch(
      /^https:\/\/keys\.example\.com\/sign-in\?error=/,
    );
  });

  test("an unknown address gets an account with its default key", async () => {
    const email = `${randomUUID()}@example.com`;
    const { browser, location } = await signIn({ email });
    expect(location).toBe("/keys");
    const { account_id } = (await me(browser)).body.result.data;
    expect(await deployment.db.prisma.apiKey.count({ where: { accountId: account_id, isDefault: true } })).toBe(1);
    expect((await deployment.events(account_id)).map(({ action }) => action)).toEqual([
      "account.created",
      "sign_in.sso_linked",
    ]);
    expect(await query(browser, "signInMethods")).toMatchObject({
      has_password: false,
      single_sign_on: { linked_at: expect.any(Number) },
    });
  });

  test("a way back to another site is refused", async () => {
    const { browser } = await owner();
    for (const path of ["sign-in/social", "link-social"]) {
      for (const name of ["callbackURL", "errorCallbackURL"]) {
        const body = { provider: "oidc", callbackURL: "/keys", [name]: "https://evil.example/" };
        expect([path, name, (await browser.post(`/api/auth/${path}`, body, at)).status]).toEqual([path, name, 403]);
      }
    }
  });
});

describe("closed, with single sign-on", () => {
  test("an unknown address gets no account; a provider that is away holds nothing else up", async () => {
    const provider = await startOidcProvider();
    const deployment = await Deployment.start(await oidcSettings(provider));
    try {
      const start = (browser: Browser) =>
        browser.post("/api/auth/sign-in/social", { provider: "oidc", callbackURL: "/keys" });
      const browser = deployment.browser();
      const started = await start(browser);
      const claims = { sub: randomUUID(), email: "stranger@example.com", email_verified: true };
      const back = await browser.get(provider.agree(started.body.url, claims).slice(deployment.product.url.length));
      expect(back.headers.get("location")).toBe(`${deployment.product.url}/sign-in?error=signup_disabled`);
      expect(await deployment.db.prisma.account.count()).toBe(0);
    } finally {
      provider.stop();
      await deployment.stop();
    }
  });

  test("a provider that is away: 503 for it, while passwords work", async () => {
    const deployment = await Deployment.start(await oidcSettings({ issuer: "http://127.0.0.1:9" }));
    try {
      const answer = await deployment.browser().post("/api/auth/sign-in/social", { provider: "oidc" });
      expect([answer.status, answer.body.error]).toEqual([503, "the single sign-on provider cannot be reached"]);
      await deployment.signedIn();
    } finally {
      await deployment.stop();
    }
  });
});
