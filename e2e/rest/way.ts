import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A way to a database, which can end or fall silent as a network does. */
export class Way {
  private state: "open" | "silent" | "shut" = "open";
  private readonly sockets = new Set<Socket>();
  private constructor(
    private readonly server: Server,
    private readonly database: URL,
  ) {}

  static async to(databaseUrl: string): Promise<Way> {
    const server = createServer();
    const way = new Way(server, new URL(databaseUrl));
    server.on("connection", (client) => way.take(client));
    await once(server.listen(0, "127.0.0.1"), "listening");
    return way;
  }

  private take(client: Socket): void {
    if (this.state === "shut") {
      client.destroy();
      return;
    }
    const { port, hostname } = this.database;
    const behind = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      this.sockets.add(from);
      if (this.state === "silent") from.pause();
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  /** The address of the database on this way. */
  get url(): string {
    const url = new URL(this.database);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Nothing is forwarded. The connections stay, and new ones are made. */
  silence(): void {
    this.state = "silent";
    for (const socket of this.sockets) socket.pause();
  }

  /** Ends every connection, also each new one. */
  shut(): void {
    this.state = "shut";
    this.cut();
  }

  open(): void {
    this.state = "open";
    for (const socket of this.sockets) socket.resume();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
