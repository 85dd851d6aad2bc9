import { expect } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { loseAnswer } from "./hold";
import { SignInPage } from "./pages/sign-in";
import { SignOnProduct } from "./sign-on-product";

test("open: sign up, and a single sign-on by its name", async ({ page }) => {
  const product = await SignOnProduct.start({ OIDC_NAME: "Example ID" });
  try {
    const signIn = new SignInPage(page, product.url);
    await page.goto(product.url);
    await expect(page.getByRole("link", { name: "Sign up" })).toHaveAttribute("href", "/sign-up");
    // A visitor who may sign up needs no command of the operator.
    await expect(page.getByText("account:create")).toBeHidden();
    await expectFitForAll(page);
    await page.goto(`${product.url}/sign-in`);
    await page.getByRole("link", { name: "Sign up" }).click();
    // Both pages have these fields.
    await expect(page.getByRole("heading", { level: 1, name: "Sign up" })).toBeVisible();
    await page.waitForLoadState("load");
    await page.getByLabel("Email").fill("new@example.com");
    await page.getByLabel("Password").fill("a long password");
    await expectFitForAll(page);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("dialog", { name: "Your account is ready" })).toBeVisible();
    await page.context().clearCookies();

    // The test does not show the page of the provider. Its visitor agrees at once, or has no verified address.
    for (const [email_verified, leadsTo] of [
      [false, /\/sign-in\?.*error=/],
      [true, /\/groups$/],
    ] as const) {
      await product.agreeAs(page, { sub: "1", email: "visitor@example.com", email_verified });
      await signIn.open("?next=/groups");
      await page.getByRole("button", { name: "Sign in with Example ID" }).click();
      await expect(page).toHaveURL(leadsTo);
      if (!email_verified) await expect(signIn.alert).toHaveText("The provider has not verified your email address.");
    }
  } finally {
    await product.stop();
  }
});

test("an account whose creation was not answered: trying again signs in, and tells that the key was not seen", async ({
  page,
}) => {
  const product = await SignOnProduct.start();
  try {
    await page.goto(`${product.url}/sign-up`);
    await page.waitForLoadState("load");
    const create = page.getByRole("button", { name: "Create account" });
    const alert = new SignInPage(page, product.url).alert;
    await page.getByLabel("Email").fill("new@example.com");
    await page.getByLabel("Password").fill("a long password");
    await loseAnswer(page, "**/api/auth/sign-up");
    await create.click();
    await expect(alert).toHaveText("The server cannot be reached. Try again.");
    await page.getByLabel("Password").fill("another password");
    await create.click();
    await expect(alert).toHaveText(
      "You cannot sign up with this email and password. If you have an account already, sign in.",
    );
    await page.getByLabel("Password").fill("a long password");
    await create.click();
    await expect(page.getByRole("status")).toContainText("Your account is ready, but its default key was lost");
    await expect(page.getByRole("region", { name: "Create account" })).toBeFocused();
    await expectFitForAll(page);
    await page.getByRole("link", { name: "To the settings" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("new@example.com");
  } finally {
    await product.stop();
  }
});
