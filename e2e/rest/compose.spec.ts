import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ComposeProject, withoutCompose } from "../compose-project";
import { runsIntegration } from "../integrations";
import { temporaryFolder } from "../product";

const TEN_MINUTES_MS = 600_000;
const isWanted = runsIntegration("compose");
const missing = isWanted ? withoutCompose() : undefined;
if (missing) console.log(`skipped: compose, because ${missing}.`);

const folder = await temporaryFolder();
afterAll(() => folder.remove());

async function start(...given: Parameters<typeof ComposeProject.start>): Promise<ComposeProject> {
  const project = await ComposeProject.start(...given);
  onTestFinished(() => project.remove());
  return project;
}

/** The default key of an account that the command line makes. */
async function makeAccount(project: ComposeProject): Promise<string> {
  const made = await project.execute("allowance", "allowance", "account", "create", "--email", "owner@example.com");
  return JSON.parse(made).apikey;
}

const headersOf = (apikey: string) => ({ authorization: `Bearer ${apikey}`, "content-type": "application/json" });
const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name).sort();

async function createKey(origin: string, apikey: string, name: string): Promise<number> {
  const body = JSON.stringify({ name });
  return (await fetch(`${origin}/v1/apikeys`, { method: "POST", headers: headersOf(apikey), body })).status;
}

async function listKeys(origin: string, apikey: string): Promise<string[]> {
  const answer = await fetch(`${origin}/v1/apikeys`, { headers: headersOf(apikey) }).catch(() => undefined);
  return answer?.ok ? names(await answer.json()) : [];
}

/** Makes a port of a container a free port of this machine. */
const portOf = (port: number) => `{ ports: !override ["127.0.0.1::${port}"] }`;

const secrets = () => ({
  POSTGRES_PASSWORD: randomBytes(24).toString("hex"),
  AUTH_SECRET: randomBytes(32).toString("hex"),
});

describe.skipIf(!isWanted || missing)("compose (INTEGRATIONS=1)", { timeout: TEN_MINUTES_MS }, () => {
  test("alone.yaml: a key outlives kill -9 of the server and new containers", async () => {
    const project = await start("alone.yaml", { allowance: portOf(3000) });
    const origin = async () => `http://${await project.address("allowance", 3000)}`;
    const apikey = await makeAccount(project);
    expect(await createKey(await origin(), apikey, "kept")).toBe(201);
    await expect(project.execute("allowance", "touch", "/anywhere")).rejects.toThrow("Read-only file system");

    const kill = `for (const pid of require("fs").readdirSync("/proc").filter(Number)) {
      const words = require("fs").readFileSync("/proc/" + pid + "/cmdline", "utf8").split("\\0");
      if (words[0] === "node" && words.includes("start")) process.kill(pid, "SIGKILL");
    }`;
    await project.execute("allowance", "node", "-e", kill).catch(() => {});
    await expect.poll(async () => listKeys(await origin(), apikey)).toEqual(["default", "kept"]);

    await project.compose("down");
    await project.up();
    expect(await listKeys(await origin(), apikey)).toEqual(["default", "kept"]);
  });

  test("postgres.yaml: serves with a role that owns nothing, and goes on when PostgreSQL is back", async () => {
    const project = await start("postgres.yaml", { allowance: portOf(3000) }, secrets());
    const origin = `http://${await project.address("allowance", 3000)}`;
    const apikey = await makeAccount(project);
    expect(await createKey(origin, apikey, "kept")).toBe(201);
    const checks = (await project.execute("allowance", "allowance", "doctor"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(checks.find(({ check }) => check === "rights")).toMatchObject({ state: "ok" });
    await project.compose("restart", "postgres");
    await expect.poll(() => listKeys(origin, apikey)).toEqual(["default", "kept"]);
  });

  test("replicas.yaml: every read is answered over TLS while one of the two is killed", async () => {
    const [key, certificate] = [join(folder.path, "tls.key"), join(folder.path, "tls.crt")];
    const subject = ["-subj", "/CN=keys.example.com", "-addext", "subjectAltName=DNS:keys.example.com"];
    const files = ["-keyout", key, "-out", certificate];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
      stdio: "ignore",
    });
    const proxy = `{ ports: !override ["127.0.0.1::8443"], volumes: ["${folder.path}:/etc/nginx/tls:ro"] }`;
    const env = { ...secrets(), PUBLIC_URL: "https://keys.example.com" };
    const project = await start("replicas.yaml", { proxy }, env);
    const [, port] = (await project.address("proxy", 8443)).split(":");
    const read = (path: string, headers = {}) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const server = { host: "127.0.0.1", port, servername: "keys.example.com", ca: readFileSync(certificate) };
        request({ ...server, path, headers: { host: "keys.example.com", ...headers }, agent: false }, resolve)
          .on("error", reject)
          .end();
      });
    const headers = headersOf(await makeAccount(project));
    expect((await read("/metrics")).statusCode).toBe(404);
    expect((await read("/keys")).headers.location).toBe("/sign-in?next=%2Fkeys");

    const answers: (number | undefined)[] = [];
    let isOver = false;
    const readAgain = async () => {
      while (!isOver) answers.push((await read("/v1/apikeys", headers)).resume().statusCode);
    };
    const reading = Promise.all(Array.from({ length: 4 }, readAgain));
    await expect.poll(() => answers.length).toBeGreaterThan(50);
    await project.kill("allowance");
    const before = answers.length;
    await expect.poll(() => answers.length).toBeGreaterThan(before + 200);
    isOver = true;
    await reading;
    expect(new Set(answers)).toEqual(new Set([200]));
  });
});
