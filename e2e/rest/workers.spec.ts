import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isAlive, runToEnd } from "../product";
import { callAt } from "./client";
import { Deployment } from "./deployment";

// Workers take connections in turn. fetch keeps connections open, so a request that must reach any worker closes its own.
const CLOSE = { connection: "close" };
const WORKERS = 2;
const RATE = 40;

let deployment: Deployment;
let account: Awaited<ReturnType<Deployment["newAccount"]>>;
/** An account that has not reached its rate. */
let second: typeof account;

beforeAll(async () => {
  deployment = await Deployment.start({ WORKERS: String(WORKERS), RATE_LIMIT_PER_MINUTE: String(RATE) });
  account = await deployment.newAccount();
  second = await deployment.newAccount();
});
afterAll(async () => {
  await deployment.stop();
});

interface Line {
  msg: string;
  worker?: number;
  pid: number;
  requestId?: string;
}

/** The lines of the log. Each must be one of JSON; lines of the start are not. */
const lines = () =>
  deployment.product
    .output()
    .split("\n")
    .slice(0, -1)
    .flatMap((line): Line[] => (line.startsWith("{") ? [JSON.parse(line)] : []));
const call = (path: string, method = "GET", body?: object) =>
  callAt(deployment.product.url, method, path, {
    key: account.apikey,
    headers: CLOSE,
    ...(body && { body }),
  });
const times = <T>(n: number, make: () => Promise<T>) => Promise.all(Array.from({ length: n }, make));
/** The process of each worker that has answered a request, by its number. */
const servers = () =>
  new Map(lines().flatMap(({ msg, worker, pid }) => (msg === "request" && worker ? [[worker, pid] as const] : [])));
const probe = (path: string) =>
  fetch(deployment.product.url + path, { headers: CLOSE, signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
  );
/** A request whose line stands in the log. */
const visit = () => probe("/v1");

test("all workers answer on one port; each line of the log says which one", async () => {
  await expect
    .poll(async () => {
      await times(8, visit);
      return [...servers().keys()].sort();
    })
    .toEqual([1, 2]);
  expect(new Set(servers().values()).size).toBe(WORKERS);
});

test("the greeting and the set-up link stand once in the output", () => {
  expect(deployment.product.output().match(/Allowance serves at/g)).toHaveLength(1);
  expect(deployment.product.output().match(/\/set-up\?token=/g)).toHaveLength(1);
});

test("the metrics of any worker are those of all", async () => {
  const read = async () => (await fetch(`${deployment.product.url}/metrics`, { headers: CLOSE })).text();
  const counted = (text: string) =>
    Number(/^allowance_http_request_duration_seconds_count\{.*"\/healthz".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  const before = counted(await read());
  await times(8, () => probe("/healthz"));
  const texts = [await read(), await read(), await read()];
  expect(texts.map(counted)).toEqual(Array(3).fill(before + 8));
  expect(texts[0]?.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
});

test("PostgreSQL allows the connections of all workers", async () => {
  const { rows } = await deployment.db.pool.query<{ allowed: number }>(
    "SELECT current_setting('max_connections')::int AS allowed",
  );
  expect(rows[0]?.allowed).toBeGreaterThanOrEqual(36 * WORKERS);
  expect(deployment.product.output()).not.toContain("raise max_connections");
});

test("the rate of a key is one for all workers, to the last request", async () => {
  const answers = await times(RATE + 10, () => call("/v1/account"));
  const left = answers.map(({ headers }) => Number(headers.get("ratelimit-remaining"))).sort((a, b) => b - a);
  expect(left.slice(0, RATE)).toEqual(Array.from({ length: RATE }, (_, i) => RATE - 1 - i));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
});

test("a worker that is killed is replaced, while the other one answers", async () => {
  const before = servers();
  process.kill(before.get(1) ?? 0, "SIGKILL");
  await expect
    .poll(() => lines().filter(({ msg }) => msg === "a worker ended; another takes its place"))
    .toHaveLength(1);
  // A connection that the killed one had taken is reset; a client tries again.
  await expect
    .poll(async () => {
      await times(8, () => visit().catch(() => 0));
      return servers().get(1);
    })
    .not.toBe(before.get(1));
  expect(servers().get(2)).toBe(before.get(2));
  expect(await probe("/readyz")).toBe(200);
});

test("a connection that a worker was given and has not taken when it is killed is closed", async () => {
  const before = servers().get(2) ?? 0;
  process.kill(before, "SIGSTOP");
  const sockets = Array.from({ length: 4 }, () => connect(Number(new URL(deployment.product.url).port), "127.0.0.1"));
  const outcomes: string[] = [];
  for (const socket of sockets) {
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    socket.once("data", () => outcomes.push("answered"));
    socket.on("error", () => {});
    socket.once("close", () => outcomes.push("closed"));
  }
  const answered = ["answered", "answered", "answered", "closed", "closed", "closed"];
  await expect.poll(() => outcomes.toSorted()).toEqual(answered);
  process.kill(before, "SIGKILL");
  await expect.poll(() => outcomes.toSorted()).toEqual([...answered, "closed"]);
  await expect
    .poll(async () => {
      await times(8, () => visit().catch(() => 0));
      return servers().get(2);
    })
    .not.toBe(before);
});

test("SIGTERM to all processes finishes what is under way, answers connections that wait to be accepted, and stops workers and PostgreSQL with exit 0", async () => {
  const { process: primary, url } = deployment.product;
  const pids = [...servers().values()];
  const body = JSON.stringify({ name: "the last" });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(
    `POST /v1/apikey_groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${second.apikey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, "data");
  const ended = once(primary, "exit");
  const waiting = Array.from({ length: 50 }, () => connect(Number(new URL(url).port), "127.0.0.1"));
  const answers = waiting.map((other) => once(other, "data").then(String, ({ code }) => code));
  // The system has taken them. Most of them wait for a worker.
  await Promise.all(waiting.map((other) => once(other, "connect")));
  for (const pid of [...pids, primary.pid ?? 0, primary.pid ?? 0]) process.kill(pid, "SIGTERM");
  for (const other of waiting) other.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  // A connection that arrives while the port closes may be taken by nobody until all has stopped.
  await expect.poll(() => visit().catch(() => "no answer")).toBe("no answer");
  socket.write(body);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
  expect((await ended)[0]).toBe(0);
  for (const pid of pids) expect(isAlive(pid)).toBe(false);
});

describe("a start that fails", () => {
  /** No database answers there. */
  const env = { WORKERS: "2", DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" };

  test("with the port taken: one clear sentence, exit 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const PORT = String(address instanceof Object ? address.port : 0);
    const { code, stderr } = await runToEnd("main", [], { env: { ...env, PORT, HOST: "127.0.0.1" } });
    other.close();
    expect([code, stderr]).toEqual([
      1,
      `Allowance cannot start. port ${PORT} is in use; stop what listens there, or set PORT\n`,
    ]);
  });

  test("with an address that the machine does not have: one clear sentence that names the setting, exit 1", async () => {
    const { code, stderr } = await runToEnd("main", [], { env: { ...env, PORT: "0", HOST: "192.0.2.1" } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Allowance cannot start\. HOST: cannot listen on 192\.0\.2\.1: .*\n$/),
    ]);
  });

  test("workers that end again and again are replaced later and later", async () => {
    const fault = "if (process.connected) process.exit(7)";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
    const child = spawn(process.execPath, [".build/main.js"], {
      env: { PATH: process.env.PATH, NODE_ENV: "production", ...env, PORT: "0", NODE_OPTIONS },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    const pauses = () => [...output.matchAll(/"worker":1,"code":7,.*?"pause_ms":(\d+)/g)].map(([, ms]) => Number(ms));
    await expect.poll(() => pauses().length).toBeGreaterThan(1);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect([pauses().slice(0, 2), await ended]).toEqual([
      [0, 1_000],
      [0, null],
    ]);
  });
});
