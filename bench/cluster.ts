import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { pino } from "pino";
import { Balancer } from "../e2e/balancer";
import { allowConnections, type Cluster as PostgresCluster, prepareCluster } from "../server/db/cluster";
import { findPort, findPostmaster, startPostmaster, stopPostmaster } from "../server/db/postmaster";
import { onClose } from "./closers";
import { GATEWAY_TOKEN } from "./servers";

const START_DEADLINE_MS = 120_000;
const CONNECTIONS = 300;

/** Some replicas behind a balancer, on a PostgreSQL that none of them has started. */
export class Cluster {
  readonly balancer = new Balancer([]);
  /** Address of the balancer. */
  url = "";
  readonly #replicas: { child: ChildProcess; url: string; logFile: string }[] = [];
  readonly #secret = randomBytes(32).toString("hex");

  private constructor(
    private readonly folder: string,
    private readonly postgres: PostgresCluster,
    readonly databaseUrl: string,
  ) {}

  static async start(folder: string, replicas: number): Promise<Cluster> {
    const postgres = await prepareCluster(join(folder, "database"), pino({ level: "silent" }));
    await allowConnections(postgres, CONNECTIONS);
    const databaseUrl = `postgresql://allowance:${postgres.password}@127.0.0.1:${await findPort(postgres)}/postgres`;
    const cluster = new Cluster(folder, postgres, databaseUrl);
    onClose(() => stopPostmaster(postgres));
    await cluster.startPostgres();
    cluster.url = await cluster.balancer.start();
    onClose(async () => cluster.balancer.stop());
    for (let place = 0; place < replicas; place++) await cluster.startReplica(place);
    return cluster;
  }

  /** Settings of each replica, and of commands. */
  get env(): Record<string, string> {
    return { DATABASE_URL: this.databaseUrl, AUTH_SECRET: this.#secret, DATA_DIR: join(this.folder, "data") };
  }

  pidOf(place: number): number {
    return this.#replicas[place]?.child.pid ?? 0;
  }

  /** What a replica has written to its log. */
  readLog(place: number): Promise<string> {
    return readFile(this.#replicas[place]?.logFile ?? "", "utf8");
  }

  /** The metrics of a replica, as text. */
  async readMetrics(place: number): Promise<string> {
    return (await fetch(`${this.#replicas[place]?.url}/metrics`)).text();
  }

  /** Starts a replica, and puts it behind the balancer when it is ready. */
  async startReplica(place: number): Promise<void> {
    const logFile = join(this.folder, `replica-${place}.log`);
    const log = await open(logFile, "a");
    const begun = (await log.stat()).size;
    const child = spawn(process.execPath, ["--trace-gc", "server/cli/run.mjs", "main"], {
      env: { ...process.env, ...this.env, PORT: "0", HOST: "127.0.0.1", GATEWAY_TOKENS: GATEWAY_TOKEN },
      stdio: ["ignore", log.fd, log.fd],
    });
    onClose(() => end(child, "SIGTERM"));
    await log.close();
    for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await delay(50)) {
      const text = (await readFile(logFile, "utf8")).slice(begun);
      const port = /serves at http:\/\/localhost:(\d+)/.exec(text)?.[1];
      const url = `http://127.0.0.1:${port}`;
      if (port && (await isReady(url))) {
        this.#replicas[place] = { child, url, logFile };
        this.balancer.targets = this.#replicas.map((replica) => replica.url);
        return;
      }
      if (child.exitCode !== null) throw new Error(`a replica did not start: ${text}`);
    }
    throw new Error("a replica did not start in time");
  }

  /** Takes a replica out of the balancer, as a rolling upgrade does, and stops it. */
  async stopReplica(place: number): Promise<void> {
    const replica = this.#replicas[place];
    if (!replica) return;
    this.balancer.targets = this.balancer.targets.filter((url) => url !== replica.url);
    await end(replica.child, "SIGTERM");
  }

  /** Kills a replica. The balancer finds out for itself. */
  async killReplica(place: number): Promise<void> {
    const replica = this.#replicas[place];
    if (replica) await end(replica.child, "SIGKILL");
  }

  stopPostgres(): Promise<void> {
    return stopPostmaster(this.postgres);
  }

  async killPostgres(): Promise<void> {
    const pid = await findPostmaster(this.postgres);
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  }

  /** Starts PostgreSQL, and waits until it answers. After a kill, that is when its last process has ended. */
  async startPostgres(): Promise<void> {
    for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await delay(500)) {
      if ((await findPostmaster(this.postgres)) === undefined) await startPostmaster(this.postgres);
      if (
        await this.connect().then(
          (client) => client.end().then(() => true),
          () => false,
        )
      )
        return;
    }
    throw new Error("PostgreSQL did not start in time");
  }

  /** Waits until every replica is ready. */
  async waitUntilReady(): Promise<void> {
    for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await delay(50)) {
      const answers = await Promise.all(this.balancer.targets.map(isReady));
      if (answers.every(Boolean)) return;
    }
    throw new Error("a replica was not ready in time");
  }

  /** A connection to the database, or to another one of the same PostgreSQL. */
  async connect(databaseUrl = this.databaseUrl): Promise<Client> {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
    client.on("error", () => {});
    await client.connect();
    return client;
  }
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
