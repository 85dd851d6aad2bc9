import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort, temporaryFolder } from "../product";
import { type Account, call, newAccount, newKey } from "./client";

const NGINX_CONF = "examples/nginx/nginx.conf";
const hasNginx = spawnSync("nginx", ["-v"]).error === undefined;
const AWAY = { error: { message: "Limits cannot be checked now.", code: "allowance_away" } };

/** nginx, or a replacement in Node, before a gateway. */
interface Front {
  url: string;
  stop(): Promise<void>;
}

interface Behind {
  /** Address of Allowance. */
  allowance: string;
  /** Address of the gateway. */
  gateway: string;
  /** The gateway token that it sends. */
  token: string;
}

let account: Account;
/** The requests that reached the gateway. */
const passed: string[] = [];
let gateway: Server;
let gatewayUrl: string;

beforeAll(async () => {
  account = await newAccount();
  gateway = createServer((request, response) => {
    passed.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end("from the gateway");
  });
  gatewayUrl = await listen(gateway);
});
afterAll(() => close(gateway));

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
}

/**
 * Does what nginx does with this configuration: for each request a sub-request with GET, which has only the headers that
 * `location = /allowance` sets. After 2xx the request passes. 401 and 403 are passed on. All else is an error.
 */
async function startStandIn({ allowance, gateway: behind, token }: Behind): Promise<Front> {
  const settings = [...(await readFile(NGINX_CONF, "utf8")).matchAll(/proxy_set_header (Allowance-\S+) (\S+);/g)];
  const answer: RequestListener = async (request, response) => {
    const { authorization = "" } = request.headers;
    const headers = settings
      .map(([, name = "", value = ""]) => [name, value.replace("$http_authorization", authorization)] as const)
      .filter(([, value]) => value !== "");
    const asked = await fetch(`${allowance}/v1/authorizations/check`, {
      headers: { ...Object.fromEntries(headers), authorization: `Bearer ${token}` },
    }).catch(() => undefined);
    const code = asked?.headers.get("allowance-code");
    if (asked?.ok) {
      const through = await fetch(behind + request.url, { method: request.method ?? "", headers: { authorization } });
      response.writeHead(through.status).end(await through.text());
    } else if ((asked?.status === 401 || asked?.status === 403) && code) {
      response.writeHead(asked.status).end(JSON.stringify({ error: { code } }));
    } else response.writeHead(503).end(JSON.stringify(AWAY));
  };
  const server = createServer(answer);
  return { url: await listen(server), stop: () => close(server) };
}

/** Runs nginx with the example's configuration, at other addresses. */
async function startNginx({ allowance, gateway: behind, token }: Behind): Promise<Front> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const conf = (await readFile(NGINX_CONF, "utf8"))
    .replace("127.0.0.1:3000", new URL(allowance).host.replace("localhost", "127.0.0.1"))
    .replace("127.0.0.1:8787", new URL(behind).host)
    .replace("127.0.0.1:8080", `127.0.0.1:${port}`)
    // The package's own folders belong to the nginx of the machine.
    .replace("http {", `http {\n${kinds.map((kind) => `${kind}_temp_path ${join(folder.path, kind)};`).join("\n")}`);
  await writeFile(join(folder.path, "nginx.conf"), conf);
  await writeFile(join(folder.path, "gateway-token.conf"), `proxy_set_header Authorization "Bearer ${token}";\n`);
  const child = spawn("nginx", ["-p", folder.path, "-c", "nginx.conf", "-e", "stderr"], { stdio: "ignore" });
  const exited = once(child, "exit");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await delay(20);
  }
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    await folder.remove();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

function isListening(port: string): Promise<boolean> {
  const socket = connect(Number(port), "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

const FRONTS = [
  ["a stand-in for nginx", startStandIn, false],
  ["nginx itself (skipped where none is on PATH)", startNginx, !hasNginx],
] as const;

describe.each(FRONTS)("%s", (_, start, isSkipped) => {
  describe.skipIf(isSkipped)("asks by headers", () => {
    let front: Front;
    beforeAll(async () => {
      front = await start({ allowance: inject("productUrl"), gateway: gatewayUrl, token: inject("gatewayToken") });
    });
    afterAll(() => front.stop());

    const send = async (headers: Record<string, string>, method = "POST", to = front) => {
      const before = passed.length;
      const body = method === "POST" ? "{}" : null;
      const response = await fetch(`${to.url}/v1/chat/completions`, { method, headers, body });
      const text = await response.text();
      return { status: response.status, text, passed: passed.slice(before) };
    };

    test.each(["POST", "GET"])("%s passes with a key that may spend, key and all", async (method) => {
      const { apikey } = await newKey(account, { budget: 1, input_price_limit: 1, output_price_limit: 1 });
      expect(await send({ authorization: `Bearer ${apikey}` }, method)).toEqual({
        status: 200,
        text: "from the gateway",
        passed: [`${method} /v1/chat/completions Bearer ${apikey}`],
      });
    });

    test("a key over its limit is 403, and the gateway sees nothing", async () => {
      const { apikey } = await newKey(account, { daily_limit: 0.001 });
      const answer = await send({ authorization: `Bearer ${apikey}` });
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([403, "daily_limit"]);
      expect(answer.passed).toEqual([]);
    });

    test("no key, an unknown and a disabled one are 401", async () => {
      const { apikey, id } = await newKey(account);
      await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
      const outcomes = [];
      for (const headers of [{}, { authorization: "Bearer sk-nonsense" }, { authorization: `Bearer ${apikey}` }]) {
        const answer = await send(headers as Record<string, string>);
        outcomes.push([answer.status, JSON.parse(answer.text).error.code, answer.passed.length]);
      }
      expect(outcomes).toEqual([
        [401, "key_not_found", 0],
        [401, "key_not_found", 0],
        [401, "key_disabled", 0],
      ]);
    });

    test("no header of the caller's counts", async () => {
      const { apikey } = await newKey(account, { budget: 0.001 });
      const rich = await newKey(account);
      const answer = await send({
        authorization: `Bearer ${apikey}`,
        "Allowance-Amount": "0",
        "Allowance-Key": rich.apikey,
      });
      expect([answer.status, answer.passed]).toEqual([403, []]);
    });

    test("nothing passes while Allowance is away, or does not know who asks", async () => {
      const { apikey } = await newKey(account);
      const allowance = inject("productUrl");
      const fronts = [
        { allowance: `http://127.0.0.1:${await freePort()}`, gateway: gatewayUrl, token: inject("gatewayToken") },
        { allowance, gateway: gatewayUrl, token: "nobody's-token" },
        // A key that is not the default key of its account. Allowance answers 403, which must not reach the caller.
        { allowance, gateway: gatewayUrl, token: apikey },
      ];
      for (const behind of fronts) {
        const other = await start(behind);
        const answer = await send({ authorization: `Bearer ${apikey}` }, "POST", other);
        await other.stop();
        expect([answer.status, JSON.parse(answer.text), answer.passed]).toEqual([503, AWAY, []]);
      }
    });
  });
});
