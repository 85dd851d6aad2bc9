import type { Page } from "playwright/test";
import { dataFolder } from "../data-folder";
import { type Product, startProduct, type TemporaryFolder } from "../product";
import { type OidcProvider, oidcSettings, startOidcProvider } from "../rest/oidc-provider";

/** A product where anyone may sign up, and its provider of single sign-on. */
export class SignOnProduct {
  private constructor(
    private readonly product: Product,
    private readonly provider: OidcProvider,
    private readonly folder: TemporaryFolder,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<SignOnProduct> {
    const folder = await dataFolder();
    const provider = await startOidcProvider();
    const env = { DATA_DIR: folder.path, SIGN_UP: "open", ...(await oidcSettings(provider)), ...settings };
    return new SignOnProduct(await startProduct({ env }), provider, folder);
  }

  get url(): string {
    return this.product.url;
  }

  get dataDir(): string {
    return this.folder.path;
  }

  /** The provider does not show a page: it agrees at once, for the person with these claims. */
  async agreeAs(page: Page, claims: { sub: string; email: string; email_verified?: boolean }): Promise<void> {
    const address = `${this.provider.issuer}/authorize**`;
    await page.unroute(address);
    await page.route(address, (route) => {
      const location = this.provider.agree(route.request().url(), { email_verified: true, ...claims });
      return route.fulfill({ status: 302, headers: { location } });
    });
  }

  /** Stops both, and removes their data. */
  async stop(): Promise<void> {
    await this.product.stop();
    this.provider.stop();
    await this.folder.remove();
  }
}
