import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openDatabase } from "@/server/db/client";
import { deferred } from "@/server/workers/deferred";

/** Where the server begins with what a page waited for, after its heading. */
const LATE_PART = '<div hidden id="S:';

export interface LatePages {
  /** An address under which the product answers as well. */
  url: string;
  /** Resolves when the late part of a page has arrived here. */
  arrived: Promise<void>;
  /** Sends the late parts on. Until then no browser has them. */
  release(): void;
  close(): void;
}

/** Passes calls on to the product, and holds back what the server has sent of a page after its heading. */
export async function openLatePages(product: string): Promise<LatePages> {
  const { host, hostname, port, origin } = new URL(product);
  const arrived = deferred<void>();
  const released = deferred<void>();
  const passOn = (call: IncomingMessage, reply: ServerResponse) => {
    const headers = { ...call.headers, host, "accept-encoding": "identity", ...(call.headers.origin && { origin }) };
    const onward = request({ hostname, port, method: call.method, path: call.url, headers }, async (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      const isPage = answer.headers["content-type"]?.startsWith("text/html");
      for await (const chunk of answer) {
        const start = isPage ? chunk.indexOf(LATE_PART) : -1;
        if (start < 0) {
          reply.write(chunk);
          continue;
        }
        reply.write(chunk.subarray(0, start));
        arrived.resolve();
        await released.promise;
        reply.write(chunk.subarray(start));
      }
      reply.end();
    });
    onward.on("error", () => reply.destroy());
    call.pipe(onward);
  };
  const server = createServer(passOn);
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    arrived: arrived.promise,
    release: () => released.resolve(),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Keeps each list of keys waiting until it is released, in the product that all specs share. Without it, a server that is
 * slow to begin sends the list in the first part of the page.
 */
export async function holdLists(): Promise<{ release(): Promise<void> }> {
  const database = openDatabase(process.env.PRODUCT_DATABASE_URL ?? "");
  const client = await database.pool.connect();
  // A list joins the groups of its keys.
  await client.query("BEGIN; LOCK TABLE api_key_group IN ACCESS EXCLUSIVE MODE");
  return {
    async release() {
      await client.query("ROLLBACK");
      client.release();
      await database.close();
    },
  };
}
