import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildFiles } from "./build-files";

const SCRIPT = "console.log('a script')\n".repeat(100);
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "build-files-"));
  await mkdir(join(folder, "static/chunks"), { recursive: true });
  for (const name of ["a.js", "gone.js", "kept.js", "b.css", "page.html"]) {
    await writeFile(join(folder, "static/chunks", name), SCRIPT);
  }
  await writeFile(join(folder, "secret.js"), "secret");
  const answer = buildFiles(join(folder, "static"));
  server = createServer(async (request, response) => {
    if (!(await answer(request, response))) response.writeHead(404).end("by another");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Sends a path as it is written, and does not unpack the answer, unlike `fetch`. */
async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname: "127.0.0.1", port, method, path, headers }, resolve).on("error", reject).end();
  });
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

test("a script is sent compressed to those who take that, once, and browsers keep it", async () => {
  const plain = await ask("/_next/static/chunks/a.js");
  const compressed = await ask("/_next/static/chunks/a.js?dpl=1", { "accept-encoding": "gzip, deflate, br" });
  expect(plain.body.toString()).toBe(SCRIPT);
  expect(gunzipSync(compressed.body).toString()).toBe(SCRIPT);
  for (const { status, headers } of [plain, compressed]) {
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/javascript; charset=UTF-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
  }
  const head = await ask("/_next/static/chunks/a.js", {}, "HEAD");
  expect([head.headers["content-length"], head.body.length]).toEqual([String(SCRIPT.length), 0]);
  const again = await ask("/_next/static/chunks/a.js", { "if-none-match": plain.headers.etag ?? "" });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect((await ask("/_next/static/chunks/b.css")).headers["content-type"]).toBe("text/css; charset=UTF-8");
});

test("a file that was sent before is sent although an upgrade has removed it, and no other", async () => {
  expect((await ask("/_next/static/chunks/kept.js")).status).toBe(200);
  for (const name of ["kept.js", "gone.js"]) await rm(join(folder, "static/chunks", name));
  expect((await ask("/_next/static/chunks/kept.js")).body.toString()).toBe(SCRIPT);
  expect((await ask("/_next/static/chunks/gone.js")).body.toString()).toBe("by another");
});

test.each([
  ["a file that is not there", "/_next/static/chunks/none.js", {}],
  ["a folder", "/_next/static/chunks", {}],
  ["a file of another type", "/_next/static/chunks/page.html", {}],
  ["a file beside the folder", "/_next/static/../secret.js", {}],
  ["the same, written in another way", "/_next/static/chunks/%2e%2e/%2e%2e/secret.js", {}],
  ["another path", "/chunks/a.js", {}],
  ["a part of a file", "/_next/static/chunks/a.js", { range: "bytes=5-2" }],
])("%s is left to Next.js", async (_, path, headers) => {
  expect((await ask(path, headers)).body.toString()).toBe("by another");
});
