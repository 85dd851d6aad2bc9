/**
 * The health check of the container: exits with 1 when the server that runs beside it does not answer. It asks `/healthz`,
 * and not `/readyz`, because a container is not to be replaced while its database is away.
 */
const port = process.env.PORT || "3000";
const host = process.env.HOST?.replace(/^.*:.*$/, "[$&]").replace(/^(0\.0\.0\.0|\[::\])$/, "") || "127.0.0.1";
const { ok } = await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
process.exitCode = ok ? 0 : 1;
