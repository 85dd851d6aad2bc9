import { Client } from "pg";
import { COMMON, settingAll } from "./connection";

const CONNECT_WITHIN_MS = 3_000;

/**
 * Opens one connection beside the pools. Who asks for it closes it.
 * @param name what PostgreSQL calls the connection.
 * @param queryTimeoutMs how long an answer may take. Absent: as long as it takes.
 * @throws what `pg` throws where the database cannot be reached.
 */
export async function connect(url: string, name: string, queryTimeoutMs?: number): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    application_name: name,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
  });
  // An error of the connection also rejects the running query, so it is not lost here.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(settingAll("SET", COMMON));
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Opens such a connection for work that takes as long as it takes, and closes it afterwards. */
export async function withClient<T>(
  url: string,
  name: string,
  use: (client: Client) => Promise<T>,
  queryTimeoutMs?: number,
): Promise<T> {
  const client = await connect(url, name, queryTimeoutMs);
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
