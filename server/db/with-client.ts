import { Client } from "pg";

const CONNECT_WITHIN_MS = 3_000;

/**
 * Opens one connection beside the pools, for work that takes as long as it takes, and closes it afterwards.
 * @param name what PostgreSQL calls the connection.
 * @param queryTimeoutMs how long an answer may take. Absent: as long as it takes.
 * @throws what `pg` throws where the database cannot be reached.
 */
export async function withClient<T>(
  url: string,
  name: string,
  use: (client: Client) => Promise<T>,
  queryTimeoutMs?: number,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: name,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
  });
  // An error of the connection also rejects the running query, so it is not lost here.
  client.on("error", () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
