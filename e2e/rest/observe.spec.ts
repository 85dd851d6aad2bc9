import { randomBytes, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Product, startProduct } from "../product";
import { type Account, callAt, newAccount, newKey } from "./client";
import { type CollectedSpan, type Collector, startCollector } from "./fake-collector";
import { FastClient } from "./raw";
import { Way } from "./way";

const METRICS_TOKEN = "a-token-for-metrics-of-32-characters";

let collector: Collector;
let way: Way;
let product: Product;
let account: Account;
/** Texts that may stand neither in metrics nor in traces, by what they are. */
const canaries = new Map<string, string>();

beforeAll(async () => {
  account = await newAccount();
  collector = await startCollector();
  way = await Way.to(inject("databaseUrl"));
  const env = {
    DATABASE_URL: way.url,
    METRICS_TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LOG_LEVEL: "info",
  };
  product = await startProduct({ env });
  canaries.set("the password of the database", new URL(way.url).password);
  canaries.set("the token for metrics", METRICS_TOKEN);
  canaries.set("the default key", account.apikey);
  canaries.set("the id of the default key", account.apikey.slice(0, 10));
});
afterAll(async () => {
  await product?.stop();
  way?.close();
  collector?.close();
});

function canary(what: string, text: string): string {
  canaries.set(what, text);
  return text;
}

async function scrape(url = product.url): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(response.status).toBe(200);
  return response.text();
}

/** The value of a metric, summed over the samples that have these labels. Undefined: there is no such sample. */
function sampleOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const samples = text.split("\n").filter((line) => {
    const [, found, given = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    return found === name && wanted.every((each) => given.split(",").includes(each));
  });
  if (samples.length === 0) return undefined;
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

/** Calls the product, as a part of a trace of the caller. */
async function call(method: string, path: string, body?: unknown, key = account.apikey) {
  const traceId = randomBytes(16).toString("hex");
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  return { traceId, ...(await callAt(product.url, method, path, { key, body, headers })) };
}

describe("GET /metrics", () => {
  test("is open where no METRICS_TOKEN is set", async () => {
    const response = await fetch(`${inject("productUrl")}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await response.text()).toMatch(/^# HELP allowance_build_info /m);
  });

  test("401 without METRICS_TOKEN, and 405 for other methods", async () => {
    const ask = (init: RequestInit) => fetch(`${product.url}/metrics`, init);
    for (const authorization of [undefined, `Bearer ${METRICS_TOKEN}x`, METRICS_TOKEN, `Bearer ${account.apikey}`]) {
      const response = await ask({ headers: authorization === undefined ? {} : { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await response.text()).not.toContain("allowance_");
    }
    const posted = await ask({ method: "POST", headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("counts authorizations, captures, voids, checks and sign-ins by what came of them", async () => {
    const { apikey, id } = await newKey(account, { budget: 10 });
    canary("a key", apikey);
    canary("the id of a key", id);
    const authorize = (amount: number, request_id?: string) =>
      call("POST", "/v1/authorizations", { apikey, amount, request_id });
    const request = randomUUID();
    const held = await authorize(1, request);
    await authorize(1, request);
    await authorize(2, request);
    await authorize(100);
    const path = `/v1/authorizations/${canary("the id of an authorization", held.body.authorization_id)}`;
    for (const amount of [1, 1, 2]) await call("POST", `${path}/capture`, { amount });
    await call("POST", `${path}/void`, {});
    await call("POST", `${path.slice(0, -24)}0123456789abcdef01234567/void`, {});
    await call("POST", `/v1/authorizations/${"0123456789abcdef01234567".repeat(2)}/void`, {});
    await call("POST", "/v1/authorizations/another-form/void", {});
    await call("POST", "/v1/authorizations/check", { apikey, amount: 1 });
    await call("GET", `/v1/apikeys?q=${canary("a query", "canary-of-a-query")}`);
    await call("GET", `/v1/${canary("an unknown path", "canary-of-a-path")}`);
    await call("POST", "/api/auth/sign-in/email", {
      email: canary("an email", "canary@example.com"),
      password: canary("a password", "canary of a password"),
    });
    const text = await scrape();
    const counts = (name: string, label: string, ...values: string[]) =>
      Object.fromEntries(values.map((value) => [value, sampleOf(text, name, { [label]: value })]));
    expect(counts("allowance_authorizations_total", "verdict", "allowed", "replayed", "conflict", "budget")).toEqual({
      allowed: 1,
      replayed: 1,
      conflict: 1,
      budget: 1,
    });
    expect(counts("allowance_settlements_total", "outcome", "done", "repeated", "not_found")).toEqual({
      done: 1,
      repeated: 1,
      not_found: 3,
    });
    expect(sampleOf(text, "allowance_settlements_total", { kind: "capture", outcome: "conflict" })).toBe(1);
    expect(sampleOf(text, "allowance_settlements_total", { kind: "void", outcome: "conflict" })).toBe(1);
    expect(sampleOf(text, "allowance_checks_total", { verdict: "allowed" })).toBe(1);
    expect(sampleOf(text, "allowance_sign_ins_total", { method: "password", result: "failed" })).toBe(1);
    const route = { method: "POST", route: "/v1/authorizations/{authorization_id}/capture" };
    const seconds = "allowance_http_request_duration_seconds";
    expect(sampleOf(text, `${seconds}_count`, { ...route, status: "200" })).toBe(2);
    expect(sampleOf(text, `${seconds}_count`, { ...route, status: "409" })).toBe(1);
    expect(sampleOf(text, `${seconds}_count`, { route: "unknown", status: "404" })).toBe(1);
    expect(sampleOf(text, "allowance_batch_calls_sum", { queue: "authorizations" })).toBe(8);
    // Which keys are known depends on the clock too: at the turn of a second they are read.
    const transactions = (keys: string) => sampleOf(text, "allowance_spend_transactions_total", { keys }) ?? 0;
    expect(transactions("known") + transactions("read")).toBe(8);
  });

  test("who authorizes spend again soon is not looked up", async () => {
    const { apikey } = await newAccount();
    const client = new FastClient();
    const looksUpFor = async () => {
      const lookUps = async () => sampleOf(await scrape(), "allowance_batch_calls_count", { queue: "callers" }) ?? 0;
      const before = await lookUps();
      const check = { body: { apikey, amount: 1 } };
      const { status } = await client.send(product.url, "POST", "/v1/authorizations/check", apikey, check);
      expect(status).toBe(200);
      return (await lookUps()) - before;
    };
    expect(await looksUpFor()).toBe(1);
    // Where the calls take longer than a second, the sender is looked up again.
    await expect.poll(looksUpFor).toBe(0);
    client.close();
  });

  test("has figures of the process, the pools, the database and the upkeep", async () => {
    // One of the processes on a database does its upkeep, and the shared product was there first.
    await expect
      .poll(async () =>
        sampleOf(await scrape(inject("productUrl")), "allowance_upkeep_runs_total", {
          task: "analyze_tables",
          result: "ok",
        }),
      )
      .toBeGreaterThan(0);
    const text = await scrape();
    expect(sampleOf(text, "allowance_ready")).toBe(1);
    expect(sampleOf(text, "allowance_build_info")).toBe(1);
    expect(sampleOf(text, "allowance_database_info")).toBe(1);
    expect(sampleOf(text, "allowance_pool_connections", { pool: "spend" })).toBeGreaterThan(0);
    expect(sampleOf(text, "allowance_pool_connections_max", { pool: "general" })).toBeGreaterThan(1);
    expect(sampleOf(text, "allowance_remembered_entries", { what: "key_owners" })).toBeGreaterThan(0);
    expect(sampleOf(text, "allowance_remembered_entries_max", { what: "key_owners" })).toBe(50_000);
    expect(sampleOf(text, "allowance_table_bytes", { table: "api_key" })).toBeGreaterThan(0);
    expect(sampleOf(text, "allowance_table_bytes", { table: "ledger" })).toBeGreaterThan(0);
    expect(sampleOf(text, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(sampleOf(text, "allowance_http_requests_under_way")).toBe(1);
  });

  test("a call of the dashboard is under way until its client is gone", async () => {
    const underWay = async () => sampleOf(await scrape(), "allowance_http_requests_under_way");
    const { hostname, port } = new URL(product.url);
    const client = connect(Number(port), hostname);
    // The rest of the body never comes.
    const head = [
      "POST /api/trpc/keys.create HTTP/1.1",
      `Host: ${hostname}`,
      `Authorization: Bearer ${account.apikey}`,
      "Content-Type: application/json",
      "Content-Length: 99",
    ];
    client.write(`${head.join("\r\n")}\r\n\r\n{`);
    await expect.poll(underWay).toBe(2);
    client.destroy();
    await expect.poll(underWay).toBe(1);
  });

  test("has no key, no account and no address", async () => {
    const text = await scrape();
    for (const [what, secret] of [...canaries, ["an account", account.account_id], ["an address", "127.0.0.1"]]) {
      expect(text.includes(secret ?? ""), what).toBe(false);
    }
  });

  test("answers while the database is away, without figures that are not known", async () => {
    way.shut();
    await expect.poll(async () => sampleOf(await scrape(), "allowance_ready")).toBe(0);
    const refused = await call("GET", "/v1/apikey_groups");
    expect(refused.status).toBe(503);
    const text = await scrape();
    expect(sampleOf(text, "allowance_table_bytes")).toBeUndefined();
    expect(sampleOf(text, "allowance_database_info")).toBeUndefined();
    expect(sampleOf(text, "allowance_refusals_total", { status: "503", code: "database_away" })).toBeGreaterThan(0);
    way.open();
    await expect.poll(async () => sampleOf(await scrape(), "allowance_ready")).toBe(1);
    expect(sampleOf(await scrape(), "allowance_table_bytes", { table: "account" })).toBeGreaterThan(0);
  });
});

/** These tests stop the product, which sends the last spans then. So they are the last. */
describe("traces", () => {
  const CALLERS = 12;
  let single: string;
  let together: string[];
  /** More requests at once than there are connections in their pool. */
  let crowd: string[];
  let spans: CollectedSpan[];

  beforeAll(async () => {
    const keys = await Promise.all(Array.from({ length: CALLERS }, () => newKey(account, { budget: 10 })));
    single = (await call("POST", "/v1/apikeys", { name: canary("the name of a key", "canary-of-a-name") })).traceId;
    const answers = await Promise.all(
      keys.map(({ apikey }) =>
        call("POST", "/v1/authorizations", {
          apikey: canary(`another key, ${apikey.slice(0, 10)}`, apikey),
          amount: 1,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(CALLERS).fill(200));
    together = answers.map(({ traceId }) => traceId);
    const accounts = await Promise.all(Array.from({ length: 4 }, newAccount));
    const asked = accounts.flatMap(({ apikey }) =>
      Array.from({ length: 8 }, () => call("GET", "/v1/apikey_groups", undefined, apikey)),
    );
    crowd = (await Promise.all(asked)).map(({ traceId }) => traceId);
    expect(await product.stop()).toBe(0);
    spans = collector.spans();
  });

  const serverSpanOf = (traceId: string) => {
    const found = spans.filter((span) => span.traceId === traceId && span.kind === 2);
    expect(found).toHaveLength(1);
    return found[0] as CollectedSpan;
  };

  test("a request is one span, which continues the trace of the caller, with a span for each statement", () => {
    const server = serverSpanOf(single);
    expect(server).toMatchObject({
      name: "POST /v1/apikeys",
      parentId: "00f067aa0ba902b7",
      attributes: {
        "http.request.method": "POST",
        "http.route": "/v1/apikeys",
        "http.response.status_code": 201,
      },
    });
    const ofTrace = spans.filter(({ traceId }) => traceId === single);
    const ids = new Set(ofTrace.map(({ spanId }) => spanId));
    expect(ofTrace.filter((span) => span !== server && !ids.has(span.parentId))).toEqual([]);
    const statements = ofTrace.filter(({ kind }) => kind === 3);
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["find-callers", "insert-keys-ungrouped"]),
    );
    for (const { attributes } of statements) expect(attributes["db.system.name"]).toBe("postgresql");
  });

  test("a batch belongs to one of its requests, and is linked to the others", () => {
    const batches = spans.filter(({ name }) => name === "batch authorizations");
    const ofCallers = new Map(together.map((traceId) => [serverSpanOf(traceId).spanId, traceId]));
    const mine = batches.filter(({ parentId }) => ofCallers.has(parentId));
    const covered = mine.flatMap(({ parentId, links }) => [parentId, ...links]).sort();
    expect(covered).toEqual([...ofCallers.keys()].sort());
    for (const batch of mine) {
      expect(batch.attributes["allowance.batch.calls"]).toBe(1 + batch.links.length);
      const pieces = spans.filter(({ parentId, name }) => parentId === batch.spanId && name === "BATCH");
      expect(pieces.map(({ attributes }) => attributes["db.query.summary"])).toEqual([
        // The caller was looked up before, or is asked for here: that depends on how long the requests before took.
        expect.stringMatching(/^BEGIN lock-free-keys (find-callers )?read-versioned-keys$/),
        "write-counters insert-authorizations COMMIT",
      ]);
      for (const link of batch.links) {
        expect(spans.find(({ spanId }) => spanId === link)?.links).toContain(batch.spanId);
      }
    }
  });

  test("a statement that has waited for a connection belongs to its own request", () => {
    const statements = crowd.map((traceId) => {
      const { spanId } = serverSpanOf(traceId);
      return spans
        .filter(({ parentId }) => parentId === spanId)
        .flatMap(({ name, kind }) => (kind === 3 ? [name] : []));
    });
    expect(statements[0]).not.toEqual([]);
    for (const each of statements) expect(each).toEqual(statements[0]);
  });

  test("the line of the log names the trace", () => {
    expect(product.output()).toContain(`"traceId":"${single}"`);
  });

  test("no secret, no address of a request and no text of a statement leaves the process", () => {
    const received = collector.received();
    for (const [what, secret] of [...canaries, ["a text of SQL", "FROM api_key"], ["a text of SQL", "SELECT "]]) {
      expect(received.includes(secret ?? ""), what).toBe(false);
    }
    expect(spans.filter(({ name }) => name === "GET unknown").length).toBeGreaterThan(0);
  });
});
