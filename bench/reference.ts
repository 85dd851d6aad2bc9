import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "pg";
import { authorize, capture } from "./reference-spend";

/**
 * The reference server: the least that a Node.js server must do for the same answers. It uses `node:http`, `pg` and the
 * same statements, and has no framework, no checks and no log. The statements are copies, so that a statement that gets
 * slower in the product shows in the ratio. It needs DATABASE_URL, and sends its port to the parent process.
 */
const POOL_SIZE = 16;
const BEARER = "Bearer ";
const SPEND = "/v1/authorizations";
const GATEWAY_TOKEN = sha256(process.env.GATEWAY_TOKENS ?? "");

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: POOL_SIZE });
pool.on("error", () => {});

interface Answer {
  status: number;
  type: string;
  body: string;
}

const server = createServer(async (request, response) => {
  const { status, type, body } = await answer(request).catch((error: unknown) => {
    console.error(error);
    return json(500, { success: false });
  });
  response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(address instanceof Object ? address.port : 0);
});
// The parent has ended or has finished.
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method, url, headers } = request;
  if (url === "/healthz") return { status: 200, type: "text/plain", body: "ok\n" };
  const path = url ?? "";
  if (path.startsWith(SPEND)) return spend(path, headers.authorization ?? "", JSON.parse(await readText(request)));
  const accountId = await findAccount((headers.authorization ?? "").slice(BEARER.length));
  if (accountId === undefined) return json(401, { success: false });
  if (method === "POST" && url === "/v1/apikeys") return createKey(accountId, JSON.parse(await readText(request)));
  if (method === "GET" && url === "/v1/apikey_groups") return listGroups(accountId);
  return json(404, { success: false });
}

async function spend(path: string, authorization: string, body: { apikey: string; amount: number }): Promise<Answer> {
  if (!sha256(authorization.slice(BEARER.length)).equals(GATEWAY_TOKEN)) return json(401, { success: false });
  if (path === SPEND) return json(200, await authorize(pool, body));
  const settled = await capture(pool, path.slice(SPEND.length + 1, -"/capture".length), body.amount);
  return settled ? json(200, settled) : json(404, { success: false });
}

async function findAccount(key: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ account_id: string; is_default: boolean }>({
    name: "find-caller",
    text: `SELECT key.account_id, key.is_default
      FROM key_secret secret
      JOIN api_key key ON key.account_id = secret.account_id AND key.id = secret.key_id
      JOIN account ON account.id = key.account_id
      WHERE secret.hash = $1
        AND (secret.expires_at IS NULL OR secret.expires_at > now())
        AND key.disabled_at IS NULL AND key.revoked_at IS NULL
        AND (key.expiry_date IS NULL OR key.expiry_date >= (now() AT TIME ZONE account.time_zone)::date)`,
    values: [sha256(key)],
  });
  return rows[0]?.is_default ? rows[0].account_id : undefined;
}

interface KeyParameters {
  name: string;
  group_id?: string;
  budget?: number;
  expiry_date?: string;
  daily_limit?: number;
  monthly_limit?: number;
  input_price_limit?: number;
  output_price_limit?: number;
}

async function createKey(accountId: string, parameters: KeyParameters): Promise<Answer> {
  const apikey = `sk-${randomBytes(36).toString("base64url").replace(/[-_]/g, "0")}`;
  const {
    name,
    group_id = null,
    budget = null,
    expiry_date = null,
    daily_limit = null,
    monthly_limit = null,
    input_price_limit = null,
    output_price_limit = null,
  } = parameters;
  const limits = { budget, expiry_date, daily_limit, monthly_limit, input_price_limit, output_price_limit };
  await pool.query({
    name: "insert-key",
    text: `WITH key AS (
        INSERT INTO api_key (account_id, id, name, group_id, budget, expiry_date, daily_limit, monthly_limit,
          input_price_limit, output_price_limit)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        RETURNING account_id, id, name
      ), new_event AS (
        INSERT INTO event (account_id, id, actor, actor_name, address, action, group_id, group_name, key_count, after)
        SELECT account_id, $12, 'rest', $13, $14, 'key.created', $4,
          (SELECT name FROM api_key_group WHERE account_id = $1 AND id = $4), 1, $15
        FROM key
      ), affected AS (
        INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
        SELECT account_id, $12, id, name, '{}' FROM key
      )
      INSERT INTO key_secret (hash, account_id, key_id) SELECT $11, account_id, id FROM key`,
    values: [
      accountId,
      apikey.slice(0, 10),
      name,
      group_id,
      ...Object.values(limits),
      sha256(apikey),
      randomBytes(12).toString("hex"),
      "sk-0000000",
      "127.0.0.1",
      JSON.stringify(parameters),
    ],
  });
  return json(201, { success: true, message: "API key created.", apikey, name, group_id, ...limits });
}

async function listGroups(accountId: string): Promise<Answer> {
  const { rows } = await pool.query({
    name: "list-groups",
    text: `SELECT id, name, description,
        floor(extract(epoch FROM created_at))::float8 AS created_at,
        floor(extract(epoch FROM updated_at))::float8 AS updated_at,
        (SELECT count(*) FROM api_key key
          WHERE key.account_id = api_key_group.account_id AND key.group_id = api_key_group.id AND key.revoked_at IS NULL
        )::float8 AS apikey_count
      FROM api_key_group WHERE account_id = $1
      ORDER BY api_key_group.created_at DESC, id DESC`,
    values: [accountId],
  });
  return json(200, { object: "list", data: rows });
}

function json(status: number, value: unknown): Answer {
  return { status, type: "application/json", body: JSON.stringify(value) };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks).toString()));
    request.on("error", reject);
  });
}
