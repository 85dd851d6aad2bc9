import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "pg";
import { createKey, findAccount, type KeyParameters } from "./create";
import { SCHEMA } from "./schema";
import { authorize, capture, check } from "./spend";

/**
 * The reference server: a plain design for the same answers, written for least work. It has tables of its own in the
 * same PostgreSQL, runs one prepared statement a call over `node:http` and `pg`, and has no framework, no checks and no
 * log. Nothing of it is copied from the product. It needs DATABASE_URL, and sends its port to the parent process.
 */
const POOL_SIZE = 16;
const BEARER = "Bearer ";
const SPEND = "/v1/authorizations";
const WITHOUT_HISTORY = "/without-history/v1/apikeys";
const AUTHORIZATION = BEARER + process.env.GATEWAY_TOKENS;

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: POOL_SIZE });
pool.on("error", () => {});
await pool.query(SCHEMA);

const server = createServer(async (request, response) => {
  const { status, value } = await answer(request).catch((error: unknown) => {
    console.error(error);
    return { status: 500, value: { success: false } };
  });
  const body = JSON.stringify(value);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(address instanceof Object ? address.port : 0);
});
// The parent has ended or has finished.
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));

async function answer(request: IncomingMessage): Promise<{ status: number; value: object }> {
  const { url = "", headers } = request;
  if (url === "/healthz") return { status: 200, value: { success: true } };
  if (url.startsWith(SPEND)) {
    if (headers.authorization !== AUTHORIZATION) return { status: 401, value: { success: false } };
    return spend(url, (await readJson(request)) as { apikey: string; amount: number });
  }
  const accountId = await findAccount(pool, sha256((headers.authorization ?? "").slice(BEARER.length)));
  if (accountId === undefined) return { status: 401, value: { success: false } };
  const hasHistory = url === "/v1/apikeys";
  if (!hasHistory && url !== WITHOUT_HISTORY) return { status: 404, value: { success: false } };
  return {
    status: 201,
    value: await createKey(pool, accountId, (await readJson(request)) as KeyParameters, hasHistory),
  };
}

async function spend(url: string, { apikey, amount }: { apikey: string; amount: number }) {
  if (url === SPEND) return { status: 200, value: await authorize(pool, sha256(apikey), amount) };
  if (url === `${SPEND}/check`) return { status: 200, value: await check(pool, sha256(apikey), amount) };
  const captured = await capture(pool, url.slice(SPEND.length + 1, -"/capture".length), amount);
  return captured ? { status: 200, value: captured } : { status: 404, value: { success: false } };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function readJson(request: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    request.on("error", reject);
  });
}
