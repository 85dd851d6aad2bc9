import { expect, type Locator, type Page } from "playwright/test";

/** Follows a link that opens the page to sign in in a new tab, and signs in there. Returns the page in that tab. */
export async function signInInNewTab(
  link: Locator,
  { email, password }: { email: string; password: string },
): Promise<SignInPage> {
  const page = link.page();
  const opening = page.waitForEvent("popup");
  await link.click();
  const signIn = new SignInPage(await opening, new URL(page.url()).origin);
  await signIn.signIn(email, password);
  return signIn;
}

/** The sign-in page, in English. */
export class SignInPage {
  readonly alert: Locator;

  constructor(
    readonly page: Page,
    readonly url: string,
  ) {
    // Next.js has an empty alert of its own that announces routes.
    this.alert = page.getByRole("alert").filter({ hasText: /\S/ });
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`${this.url}/sign-in${query}`);
    await expect(this.page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
    await expect(this.page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.waitForLoadState("load");
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password").fill(password);
    await this.page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  async chooseLanguage(name: "English" | "简体中文"): Promise<void> {
    await this.page.getByRole("radio", { name }).locator("..").click();
  }

  /** Waits for the page that a sign-in leads to. Before its scripts are there, a click would do nothing. */
  async arrivesAt(url: string): Promise<void> {
    await expect(this.page).toHaveURL(url);
    await this.page.waitForLoadState("load");
  }

  /** Notes whether the button that sends is busy when its page is gone. */
  async watchButton(name: string): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).evaluate((button) => {
      window.addEventListener("pagehide", () => {
        sessionStorage.setItem("busy", String(button.getAttribute("aria-disabled")));
      });
    });
  }

  async expectButtonWasBusy(): Promise<void> {
    expect(await this.page.evaluate(() => sessionStorage.getItem("busy"))).toBe("true");
  }

  async enterCode(label: "Code" | "Backup code", code: string): Promise<void> {
    await expect(this.page.getByLabel(label, { exact: true })).toBeFocused();
    await this.page.keyboard.type(code);
    await this.page.keyboard.press("Enter");
  }
}
