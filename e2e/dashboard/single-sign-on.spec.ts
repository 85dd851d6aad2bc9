import { pino } from "pino";
import { expect } from "playwright/test";
import { openEmbedded } from "@/server/db/embedded";
import { totpCode } from "../browser";
import { newOwner, test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { SecurityPage } from "./pages/security";
import { SignInPage } from "./pages/sign-in";
import { SignOnProduct } from "./sign-on-product";

// They share a product, whose provider agrees as the test says.
test.describe.configure({ mode: "default" });

let product: SignOnProduct;
let database: Awaited<ReturnType<typeof openEmbedded>>;
test.beforeAll(async () => {
  product = await SignOnProduct.start({ OIDC_NAME: "Example ID" });
  database = await openEmbedded(product.dataDir, "command", pino({ level: "silent" }));
});
test.afterAll(async () => {
  await database.close();
  await product.stop();
});

test("an owner links, signs in by it with the second factor, and unlinks", async ({ page }) => {
  const owner = await newOwner({ url: product.url, databaseUrl: database.url });
  const signIn = new SignInPage(page, product.url);
  const security = new SecurityPage(page, product.url);
  const enter = () => page.getByRole("button", { name: "Sign in with Example ID" }).click();

  // Not linked yet: the email alone opens nothing.
  await product.agreeAs(page, { sub: "owner", email: owner.email });
  await signIn.open();
  await enter();
  await expect(signIn.alert).toHaveText(
    "Single sign-on is not linked to the account with this email. Sign in in another way, and link it in the settings.",
  );
  await expectFitForAll(page);
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  await signIn.signIn(owner.email, owner.password);
  await signIn.arrivesAt(`${product.url}/overview`);

  await security.open();
  await expect(security.singleSignOn).toContainText("Not linked.");
  await product.agreeAs(page, { sub: "owner", email: "someone@example.com" });
  await security.singleSignOn.getByRole("button", { name: "Link" }).click();
  await expect(security.singleSignOn.getByRole("alert")).toHaveText(
    "The email of this identity is not the email of your account.",
  );
  await expectFitForAll(page);
  await product.agreeAs(page, { sub: "owner", email: owner.email });
  const linking = await hold(page, "**/api/auth/link-social");
  await security.singleSignOn.getByRole("button", { name: "Link" }).click();
  await linking.asked;
  await expect(security.singleSignOn.getByRole("alert")).toBeHidden();
  linking.release();
  await expect(security.singleSignOn).toContainText("Linked to your identity at Example ID");
  await expect(security.singleSignOn.getByRole("alert")).toBeHidden();

  await security.open();
  const secret = await security.startSecondFactor(owner.password);
  await security.dialog.getByLabel("Code of the app").fill(totpCode(secret));
  await security.press("Turn on");
  await security.press("I have kept them");

  await page.context().clearCookies();
  await signIn.open("?next=/groups");
  await enter();
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await expectFitForAll(page);
  await page.getByLabel("Code", { exact: true }).focus();
  await signIn.enterCode("Code", totpCode(secret, Date.now() + 30_000));
  await signIn.arrivesAt(`${product.url}/groups`);

  await security.open();
  await security.singleSignOn.getByRole("button", { name: "Unlink" }).click();
  await expect(security.dialog.getByRole("heading")).toHaveText("Unlink single sign-on?");
  await expectFitForAll(page);
  await security.press("Unlink");
  await expect(security.singleSignOn).toContainText("Not linked.");
  await expect(security.news).toHaveText("Your identity at Example ID is unlinked.");
});

test("the last way to sign in stays", async ({ page }) => {
  await product.agreeAs(page, { sub: "new", email: "new@example.com" });
  const signIn = new SignInPage(page, product.url);
  await signIn.open("?next=/settings");
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await signIn.arrivesAt(`${product.url}/settings`);
  const security = new SecurityPage(page, product.url);
  await security.open();
  await security.singleSignOn.getByRole("button", { name: "Unlink" }).click();
  await security.press("Unlink");
  await expect(security.dialog.getByRole("alert")).toHaveText(
    "This is the only way to sign in to the account. Add another one first.",
  );
});

test("signing up with an email that has an account: what to do, not whether it has one", async ({ page }) => {
  const owner = await newOwner({ url: product.url, databaseUrl: database.url });
  await page.goto(`${product.url}/sign-up`);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill("a long password of a stranger");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveText(
    "You cannot sign up with this email and password. If you have an account already, sign in.",
  );
});
