import { pino } from "pino";
import { expect } from "vitest";
import { type Database, openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import { Browser } from "../browser";
import { dataFolder } from "../data-folder";
import { newOwner, type Owner } from "../owner";
import { type Product, startProduct } from "../product";
import { superuserUrl } from "../superuser";

/** A product of its own, because settings of sign-in hold for a whole deployment, and attempts count per address. */
export class Deployment {
  private constructor(
    readonly product: Product,
    readonly db: Database,
    /** For another product on the same database. */
    readonly databaseUrl: string,
    readonly env: Record<string, string>,
    private readonly closers: (() => Promise<unknown>)[],
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<Deployment> {
    const folder = await dataFolder();
    const env = { DATA_DIR: folder.path, TRUST_PROXY: "1", ...settings };
    const product = await startProduct({ env });
    const embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
    const db = openDatabase(embedded.url);
    const closers = [() => db.close(), () => embedded.close(), () => product.stop(), () => folder.remove()];
    return new Deployment(product, db, await superuserUrl(folder.path), env, closers);
  }

  async stop(): Promise<void> {
    for (const close of this.closers) await close();
  }

  /** A browser with its own IP address. */
  browser(address = freshAddress(), headers: Record<string, string> = {}): Browser {
    return new Browser(this.product.url, { "x-forwarded-for": `203.0.113.9, ${address}`, ...headers });
  }

  newAccount(): Promise<Owner> {
    return newOwner(this.db);
  }

  /** Waits until the product has printed the pattern, and returns its first group. */
  async printed(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.product.output()).toMatch(pattern);
    return pattern.exec(this.product.output())?.[1] ?? "";
  }

  /** A browser that is signed in to a new account. */
  async signedIn() {
    const account = await this.newAccount();
    const browser = this.browser();
    expect((await browser.signIn(account.email, account.password)).status).toBe(200);
    return { account, browser };
  }

  /** The events of an account, oldest first, without its sign-ins, which sign-in-history.spec.ts is about. */
  events(accountId: string) {
    const action = { notIn: ["signed_in", "signed_out", "failed", "locked_out"].map((each) => `sign_in.${each}`) };
    return this.db.prisma.event.findMany({ where: { accountId, action }, orderBy: [{ at: "asc" }, { id: "asc" }] });
  }
}

let addresses = 0;
/** An address of a client that no other test has. */
export const freshAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`;

/** Reads the account of a browser: 401 where it is not signed in. */
export const me = (browser: Browser, headers = {}) => browser.get("/api/trpc/accounts.me", headers);
/** The answer of a procedure about the account of a browser. */
export const query = async (browser: Browser, name: string) =>
  (await browser.get(`/api/trpc/accounts.${name}`)).body.result.data;
