import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A balancer in front of replicas, which takes them in turn for each connection, as nginx and HAProxy do for TCP. */
export class Balancer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  /** @param targets addresses of the replicas. Whoever takes one out of this list ends its new connections. */
  constructor(public targets: string[]) {
    this.#server = createServer((client) => this.#pass(client, this.targets.length));
  }

  /** Listens, and returns the address of the balancer. */
  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${address instanceof Object ? address.port : 0}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Passes a connection to the next replica that accepts one. */
  #pass(client: Socket, tries: number): void {
    const target = this.targets[this.#turn++ % Math.max(1, this.targets.length)];
    if (target === undefined || tries === 0) return void client.resetAndDestroy();
    const { hostname, port } = new URL(target);
    const replica = connect(Number(port), hostname);
    let isConnected = false;
    replica.once("connect", () => {
      isConnected = true;
      client.pipe(replica).pipe(client);
    });
    replica.once("error", () => {
      if (isConnected) client.resetAndDestroy();
      else this.#pass(client, tries - 1);
    });
    replica.once("close", () => {
      this.#sockets.delete(replica);
      if (isConnected) client.destroy();
    });
    this.#sockets.add(client).add(replica);
    client.on("error", () => {});
    client.once("close", () => {
      this.#sockets.delete(client);
      replica.destroy();
    });
  }
}
