import { expect, type Locator, type Page } from "playwright/test";

/** The sections of the settings about signing in, in English. */
export class SecurityPage {
  readonly password: Locator;
  readonly secondFactor: Locator;
  readonly passkeys: Locator;
  readonly singleSignOn: Locator;
  readonly sessions: Locator;
  readonly dialog: Locator;
  readonly news: Locator;

  constructor(
    readonly page: Page,
    readonly url = "",
  ) {
    const section = (name: string) => page.getByRole("region", { name, exact: true });
    this.password = section("Password");
    this.secondFactor = section("Second factor");
    this.passkeys = section("Passkeys");
    this.singleSignOn = section("Single sign-on");
    this.sessions = section("Sessions");
    this.dialog = page.locator("dialog[open]");
    this.news = page.getByRole("region", { name: "News" });
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/settings`);
    await expect(this.sessions).toBeVisible();
  }

  async press(button: string): Promise<void> {
    await this.dialog.getByRole("button", { name: button, exact: true }).click();
  }

  /** Sets the second factor up as far as the secret, and returns the secret. */
  async startSecondFactor(password: string): Promise<string> {
    await this.secondFactor.getByRole("button", { name: "Set up" }).click();
    await this.dialog.getByLabel("Password").fill(password);
    await this.press("Continue");
    await expect(this.dialog.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
    return (await this.dialog.getByRole("group", { name: "Secret" }).locator("code").textContent()) ?? "";
  }

  async addPasskey(name: string): Promise<void> {
    await this.passkeys.getByRole("button", { name: "Add passkey" }).click();
    await this.dialog.getByLabel("Name").fill(name);
    await this.press("Continue");
  }
}

/** Adds a virtual authenticator that stores passkeys and confirms every request. */
export async function addAuthenticator(page: Page): Promise<void> {
  const debugger_ = await page.context().newCDPSession(page);
  await debugger_.send("WebAuthn.enable");
  await debugger_.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
