import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openDatabase } from "@/server/db/client";
import { deferred } from "@/server/workers/deferred";

export interface LatePages {
  /** An address under which the product answers as well. */
  url: string;
  /** From now on, no browser gets any more of a page. */
  hold(): void;
  /** Resolves when a page that is held has arrived here as a whole. */
  arrived: Promise<void>;
  /** Sends the late parts on. */
  release(): void;
  close(): void;
}

/** Passes calls on to the product, and can hold back the parts of a page that come late. */
export async function openLatePages(product: string): Promise<LatePages> {
  const { host, hostname, port, origin } = new URL(product);
  const arrived = deferred<void>();
  const released = deferred<void>();
  let isHeld = false;
  const passOn = (call: IncomingMessage, reply: ServerResponse) => {
    const headers = { ...call.headers, host, "accept-encoding": "identity", ...(call.headers.origin && { origin }) };
    const onward = request({ hostname, port, method: call.method, path: call.url, headers }, async (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      const isPage = answer.headers["content-type"]?.startsWith("text/html");
      const late: Buffer[] = [];
      for await (const chunk of answer) {
        if (isPage && isHeld) late.push(chunk);
        else reply.write(chunk);
      }
      if (late.length > 0) {
        arrived.resolve();
        await released.promise;
      }
      reply.end(Buffer.concat(late));
    });
    onward.on("error", () => reply.destroy());
    call.pipe(onward);
  };
  const server = createServer(passOn);
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    hold() {
      isHeld = true;
    },
    arrived: arrived.promise,
    release: () => released.resolve(),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Keeps each list of keys waiting until it is released, in the product that all specs share. A server that is slow to begin
 * would send the list in the first part of the page.
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
