import { pino } from "pino";
import { type Cluster, prepareCluster, readPort } from "@/server/db/cluster";
import { startPostmaster, stopPostmaster } from "@/server/db/postmaster";
import { dataFolder } from "../data-folder";
import { freePort, type Product, startProduct } from "../product";
import type { Deployment } from "./account";

/** A product and a PostgreSQL that a spec can stop and start again. Each keeps its address. */
export class OwnProduct implements Deployment {
  private constructor(
    private readonly folder: { path: string; remove(): Promise<void> },
    private readonly cluster: Cluster,
    readonly databaseUrl: string,
    private readonly env: Record<string, string>,
    private product: Product,
  ) {}

  static async start(): Promise<OwnProduct> {
    const folder = await dataFolder();
    const cluster = await prepareCluster(folder.path, pino({ level: "silent" }));
    const databaseUrl = `postgresql://allowance:${cluster.password}@127.0.0.1:${await readPort(cluster)}/postgres`;
    await startPostmaster(cluster);
    const env = { DATA_DIR: folder.path, DATABASE_URL: databaseUrl, PORT: await freePort() };
    return new OwnProduct(folder, cluster, databaseUrl, env, await startProduct({ env }));
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
