/**
 * The health check of the container: exits with 1 when the server that runs beside it does not answer. It asks `/healthz`,
 * and not `/readyz`, because a container is not to be replaced while its database is away.
 */
import { once } from "node:events";
import { get } from "node:http";

const port = process.env.PORT || "3000";
const host = process.env.HOST?.replace(/^(0\.0\.0\.0|::)$/, "") || "127.0.0.1";
try {
  // `fetch` refuses some ports that a server may have.
  const request = get({ host, port, path: "/healthz", agent: false, signal: AbortSignal.timeout(4_000) });
  const [{ statusCode }] = await once(request, "response");
  if (statusCode !== 200) fail(`answered ${statusCode}`);
  process.exit();
} catch (error) {
  fail(error.code === "ABORT_ERR" ? "did not answer within 4 seconds" : error.code);
}

function fail(reason) {
  console.error(`the server at ${host}, port ${port}, is not healthy: ${reason}`);
  process.exit(1);
}
