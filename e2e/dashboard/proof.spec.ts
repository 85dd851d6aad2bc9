import { expect, type Page } from "playwright/test";
import { test } from "./account";
import { expectFitForAll } from "./fit-for-all";
import { hold } from "./hold";
import { GroupsPage } from "./pages/groups";
import { KeysPage } from "./pages/keys";
import { addAuthenticator, SecurityPage } from "./pages/security";
import { SignOnProduct } from "./sign-on-product";

/** The dialog that asks the owner to prove who they are. It stands above the dialog of the action. */
const question = (page: Page) => page.getByRole("dialog", { name: "Confirm that it is you" });

async function answer(page: Page, password: string): Promise<void> {
  await question(page).getByLabel("Password").fill(password);
  await question(page).getByRole("button", { name: "Confirm" }).click();
}

test("the default key is rotated only with a proof that is newer than 15 minutes", async ({ page, account }) => {
  await page.goto("/settings");
  await page.getByRole("button", { name: "Rotate" }).click();
  const rotation = page.getByRole("dialog", { name: /^Rotate/ });
  await account.ageProof(16);
  await rotation.getByRole("button", { name: "Rotate key" }).click();
  await expect(question(page).getByLabel("Password")).toBeFocused();
  await expectFitForAll(page);

  await answer(page, "not the password");
  await expect(question(page).getByRole("alert")).toHaveText("The password is wrong.");
  await question(page).getByRole("button", { name: "Cancel" }).click();
  await expect(rotation.getByRole("alert")).toHaveText(
    "This was not done, because it was not confirmed that it is you. Try again.",
  );
  await account.call("GET", "/v1/account");

  await rotation.getByRole("button", { name: "Rotate key" }).click();
  await answer(page, account.password);
  await expect(page.getByRole("dialog").getByText(/^sk-[0-9A-Za-z]{45}$/)).toBeVisible();
});

test("a group is deleted and a key revoked after one proof, which then holds for both", async ({ page, account }) => {
  await account.newGroup("Research");
  await account.newKey("edge");
  const groups = new GroupsPage(page);
  await groups.open();
  await account.ageProof(16);
  await groups.choose("Research", "Delete");
  await groups.press("Delete group");
  await answer(page, account.password);
  await expect(groups.row("Research")).toHaveCount(0);

  const keys = new KeysPage(page);
  await keys.open();
  await keys.choose("edge", "Revoke");
  await keys.press("Revoke key");
  await expect(keys.row("edge")).toHaveCount(0);
  await expect(question(page)).toHaveCount(0);
});

test("a passkey of the account proves too, a new passkey wants a proof, and no second session comes of it", async ({
  page,
  account,
}) => {
  await addAuthenticator(page);
  const security = new SecurityPage(page);
  await security.open();
  await security.addPasskey("Laptop");
  await expect(security.passkeys.getByRole("listitem")).toContainText("Laptop");
  await account.ageProof(16);
  await security.addPasskey("Another");
  await expect(question(page)).toBeVisible();
  await expectFitForAll(page);
  await answer(page, "not the password");
  await expect(question(page).getByRole("alert")).toHaveText("The password is wrong.");
  const asking = await hold(page, "**/api/auth/passkey/generate-authenticate-options");
  await question(page).getByRole("button", { name: "Use a passkey" }).click();
  await asking.asked;
  await expect(question(page).getByRole("alert")).toBeHidden();
  asking.release();
  await expect(page.getByText("This device has a passkey of the account already.")).toBeVisible();
  await expect(question(page)).toHaveCount(0);
  await page.reload();
  await expect(security.sessions.getByRole("listitem")).toHaveCount(1);
  await security.passkeys.getByRole("button", { name: "Remove Laptop" }).click();
  await security.press("Remove passkey");
  await expect(security.passkeys.getByRole("listitem")).toHaveCount(0);
});

test("in Chinese, the question speaks Chinese", async ({ page, account }) => {
  await page.request.post("/api/trpc/accounts.updateSettings", { data: { language: "zh-CN" } });
  await page.goto("/settings");
  await account.ageProof(16);
  await page.getByRole("button", { name: "轮换" }).click();
  await page.getByRole("button", { name: "轮换密钥" }).click();
  const asked = page.getByRole("dialog", { name: "请确认是您本人" });
  await expect(asked).toBeVisible();
  await expectFitForAll(page);
  await asked.getByLabel("密码").fill(account.password);
  await asked.getByRole("button", { name: "确认" }).click();
  await expect(page.getByText(/^sk-[0-9A-Za-z]{45}$/)).toBeVisible();
});

test("an account without password and passkey signs in anew with single sign-on", async ({ page }) => {
  const product = await SignOnProduct.start();
  try {
    await product.agreeAs(page, { sub: "1", email: "visitor@example.com" });
    await page.goto(`${product.url}/sign-in?next=/settings`);
    await page.getByRole("button", { name: "Sign in with SSO" }).click();
    await expect(page).toHaveURL(`${product.url}/settings`);
    // The proof is new, so the server is made to say that it is not.
    await page.route("**/api/trpc/keys.rotate**", (route) =>
      route.fulfill({ status: 403, json: { error: { message: "", data: { failure: { code: "proof_required" } } } } }),
    );
    const rotate = async () => {
      const rotation = page.getByRole("dialog", { name: /^Rotate/ });
      // After a redirect the page shows before its buttons work.
      await expect(async () => {
        await page.getByRole("button", { name: "Rotate" }).click();
        await expect(rotation).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await rotation.getByRole("button", { name: "Rotate key" }).click();
    };
    await rotate();
    await expect(question(page)).toContainText("Your account signs in with single sign-on alone.");
    await expectFitForAll(page);
    await page.unroute("**/api/trpc/keys.rotate**");
    const loaded = page.waitForEvent("load");
    await question(page).getByRole("button", { name: "Sign in again" }).click();
    await loaded;
    await expect(page).toHaveURL(`${product.url}/settings`);
    await rotate();
    await expect(page.getByText(/^sk-[0-9A-Za-z]{45}$/)).toBeVisible();
  } finally {
    await product.stop();
  }
});
