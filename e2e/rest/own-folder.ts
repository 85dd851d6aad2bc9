import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { openDatabase } from "@/server/db/client";
import { isRunning, type Product, startProduct, type TemporaryFolder } from "../product";
import { superuserUrl } from "../superuser";
import { type Answer, callAt } from "./client";

/** A data folder that each test gets anew, and the products on it. */
export class OwnFolder {
  private folder: TemporaryFolder | undefined;
  private readonly running: Product[] = [];

  /** For the tests of the `describe` that calls it. After each, what it has started ends, and the folder is removed. */
  constructor(make: () => Promise<TemporaryFolder>) {
    beforeEach(async () => {
      this.folder = await make();
    });
    afterEach(async () => {
      for (const product of this.running.splice(0)) if (isRunning(product)) await product.stop();
      await this.folder?.remove();
    });
  }

  get path(): string {
    if (!this.folder) throw new Error("only a test has a folder");
    return this.folder.path;
  }

  /** Starts the product on the folder, or on another one that `DATA_DIR` names. */
  async start(env: Record<string, string> = {}, as: { uid?: number; gid?: number } = {}): Promise<Product> {
    const product = await startProduct({ env: { DATA_DIR: this.path, ...env }, ...as });
    this.running.push(product);
    return product;
  }

  /** Creates an account beside the server that runs on the folder, and returns its default key. */
  async newAccount(): Promise<string> {
    const database = openDatabase(await superuserUrl(this.path));
    try {
      const by = { kind: "command_line", name: "test", address: null } as const;
      const account = { email: `${randomUUID()}@example.com`, isProven: true, keyPrefix: "sk-", by };
      return (await createAccount(database, account)).apikey;
    } finally {
      await database.close();
    }
  }

  /** @throws if no PostgreSQL runs on the folder. */
  async postmasterPid(): Promise<number> {
    return Number((await readFile(join(this.path, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
  }
}

/** Creates a key with a key of an account. */
export const createKey = ({ url }: Product, key: string): Promise<Answer> =>
  callAt(url, "POST", "/v1/apikeys", { key, body: { name: "n" } });

/** The same for a group. */
export const createGroup = ({ url }: Product, key: string, name: string): Promise<Answer> =>
  callAt(url, "POST", "/v1/apikey_groups", { key, body: { name } });
