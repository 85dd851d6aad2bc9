import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { inject } from "vitest";

/** What keeps a request from Allowance. */
type Obstacle = "hangs up" | "is silent" | undefined;

/** A proxy before Allowance, which can make Allowance unreachable. */
export interface Road {
  url: string;
  /** What happens to a request with this path. */
  obstacle: (path: string) => Obstacle;
  /** Sent instead of the Authorization of whoever asks. */
  authorization: string | undefined;
  /** Ends every connection and refuses new ones. */
  close(): Promise<void>;
  /** Accepts connections, at the same address as before. */
  reopen(): Promise<void>;
}

export async function openRoad(): Promise<Road> {
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    const obstacle = road.obstacle(url);
    if (obstacle === "hangs up") return void incoming.socket.destroy();
    if (obstacle === "is silent") return;
    const authorization = road.authorization ?? headers.authorization;
    const options = { method, headers: { ...headers, ...(authorization && { authorization }) } };
    const onward = httpRequest(inject("productUrl") + url, options, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on("error", () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const road: Road = {
    url: `http://127.0.0.1:${port}`,
    obstacle: () => undefined,
    authorization: undefined,
    async close() {
      const closed = once(server.close(), "close");
      server.closeAllConnections();
      await closed;
    },
    async reopen() {
      if (server.listening) return;
      await once(server.listen(port, "127.0.0.1"), "listening");
    },
  };
  return road;
}
