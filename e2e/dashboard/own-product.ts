import { pino } from "pino";
import { type Cluster, prepareCluster, readPort } from "@/server/db/cluster";
import { startPostmaster, stopPostmaster } from "@/server/db/postmaster";
import { type Product, startProduct, temporaryFolder } from "../product";
import type { Deployment } from "./account";

/** A product and a PostgreSQL that a spec can stop and start again. Each keeps its address. */
export class OwnProduct implements Deployment {
  private readonly env: Record<string, string>;
  private constructor(
    private readonly folder: { path: string; remove(): Promise<void> },
    private readonly cluster: Cluster,
    readonly databaseUrl: string,
    private product: Product,
  ) {
    this.env = { DATA_DIR: folder.path, DATABASE_URL: databaseUrl, PORT: new URL(product.url).port };
  }

  static async start(): Promise<OwnProduct> {
    const folder = await temporaryFolder();
    const cluster = await prepareCluster(folder.path, pino({ level: "silent" }));
    const databaseUrl = `postgresql://allowance:${cluster.password}@127.0.0.1:${await readPort(cluster)}/postgres`;
    await startPostmaster(cluster);
    const product = await startProduct({ env: { DATA_DIR: folder.path, DATABASE_URL: databaseUrl } });
    return new OwnProduct(folder, cluster, databaseUrl, product);
  }

  get url(): string {
    return this.product.url;
  }

  async stopServer(): Promise<void> {
    await this.product.stop();
  }

  async startServer(): Promise<void> {
    this.product = await startProduct({ env: this.env });
  }

  stopDatabase(): Promise<void> {
    return stopPostmaster(this.cluster);
  }

  async startDatabase(): Promise<void> {
    await startPostmaster(this.cluster);
  }

  /** Stops both and removes their data. */
  async remove(): Promise<void> {
    await this.product.stop();
    await stopPostmaster(this.cluster);
    await this.folder.remove();
  }
}
