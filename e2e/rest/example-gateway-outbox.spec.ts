import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerWhole, beginStream, eventOf, USAGE } from "./fake-upstream";
import { type Gateway, MODEL, newSpender, openScene, type Scene, yuan } from "./gateway";

const BODY = { model: MODEL.name, messages: [{ role: "user", content: "Good morning!" }], max_tokens: 100 };
const COST = yuan(USAGE.prompt_tokens, USAGE.completion_tokens);
const HELD = yuan(Buffer.byteLength(JSON.stringify(BODY)), 100);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());
beforeEach(() => {
  scene.upstream.answerWith(answerWhole);
  scene.road.obstacle = () => undefined;
});

function complete({ url }: Gateway, apikey: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apikey}` },
    body: JSON.stringify(BODY),
  });
}

/** Makes captures and voids fail, and counts those of each authorization. */
function breakSettlements(): Map<string, number> {
  const tried = new Map<string, number>();
  scene.road.obstacle = (path) => {
    if (!/\/(capture|void)$/.test(path)) return undefined;
    tried.set(path, (tried.get(path) ?? 0) + 1);
    return "hangs up";
  };
  return tried;
}

const journal = (name: string) => readFile(`${scene.folder.path}/${name}`, "utf8");

test("a capture that gets no answer is tried again, and counts once", async () => {
  const gateway = await scene.start("again.jsonl");
  const { apikey, books } = await newSpender(scene.account);
  const tried = breakSettlements();
  expect((await complete(gateway, apikey)).status).toBe(200);
  await expect.poll(() => Math.max(...tried.values())).toBeGreaterThanOrEqual(2);
  scene.road.obstacle = () => undefined;
  await expect.poll(books).toMatchObject({ spent: COST, held: 0, ledger: [COST] });
  await gateway.stop();
});

test("while Allowance is away the calls that were made are kept, through kill -9, and settled exactly once", async () => {
  const first = await scene.start("killed.jsonl");
  const [paid, failed] = [await newSpender(scene.account), await newSpender(scene.account)];
  const tried = breakSettlements();
  for (const _ of [1, 2, 3]) expect((await complete(first, paid.apikey)).status).toBe(200);
  scene.upstream.answerWith(({ response }) => response.writeHead(400).end("{}"));
  expect((await complete(first, failed.apikey)).status).toBe(400);
  await expect.poll(() => tried.size).toBe(4);
  await first.kill();
  expect(await paid.books()).toMatchObject({ spent: 0, ledger: [] });

  // Allowance is still away when the next one starts.
  const second = await scene.start("killed.jsonl");
  tried.clear();
  await expect.poll(() => tried.size).toBe(4);
  scene.road.obstacle = () => undefined;
  await expect
    .poll(paid.books)
    .toMatchObject({ spent: Number((3 * COST).toFixed(9)), held: 0, ledger: [COST, COST, COST] });
  await expect.poll(failed.books).toMatchObject({ spent: 0, held: 0, authorizations: [{ state: "voided" }] });
  expect(await second.stop()).toEqual([0, null]);

  // Nothing is left to tell.
  const third = await scene.start("killed.jsonl");
  expect(await journal("killed.jsonl")).toBe("");
  await third.stop();
  expect((await paid.books()).ledger).toEqual([COST, COST, COST]);
});

test.each([
  ["before an answer", () => {}],
  [
    "in the middle of a stream",
    (exchange: Parameters<typeof beginStream>[0]) => beginStream(exchange)(eventOf("Good ")),
  ],
])("a call that kill -9 of the gateway ends %s is captured with what was held", async (_, begin) => {
  const first = await scene.start("crash.jsonl");
  const { apikey, books } = await newSpender(scene.account);
  const begun = new Promise<void>((resolve) => {
    scene.upstream.answerWith(async (exchange) => {
      await begin(exchange);
      resolve();
    });
  });
  const outcome = complete(first, apikey)
    .then((response) => response.text())
    .catch(() => "broken");
  await begun;
  await first.kill();
  expect(await outcome).toBe("broken");
  expect(await books()).toMatchObject({ spent: 0, held: HELD });
  const second = await scene.start("crash.jsonl");
  await expect.poll(books).toMatchObject({ spent: HELD, held: 0, ledger: [HELD] });
  await second.stop();
});

test("SIGTERM waits for the calls that are under way, and leaves what Allowance does not take in the journal", async () => {
  const first = await scene.start("stopped.jsonl");
  const { apikey, books } = await newSpender(scene.account);
  breakSettlements();
  let goOn = () => {};
  const begun = new Promise<void>((resolve) => {
    scene.upstream.answerWith(async (exchange) => {
      resolve();
      await new Promise<void>((go) => {
        goOn = go;
      });
      answerWhole(exchange);
    });
  });
  const answer = complete(first, apikey);
  await begun;
  const stopped = first.stop();
  // It takes no other call. The connection of the one that is under way ends after the answer.
  await expect.poll(() => fetch(first.url).catch(() => "refused")).toBe("refused");
  goOn();
  expect((await answer).status).toBe(200);
  expect(await stopped).toEqual([0, null]);
  expect(await journal("stopped.jsonl")).toContain('"capture"');
  scene.road.obstacle = () => undefined;
  const second = await scene.start("stopped.jsonl");
  await expect.poll(books).toMatchObject({ spent: COST, held: 0, ledger: [COST] });
  await second.stop();
});

test("a second gateway on the port of the first ends before it reads the journal", async () => {
  const first = await scene.start("shared.jsonl");
  const { port } = new URL(first.url);
  await expect(scene.start("shared.jsonl", { PORT: port })).rejects.toMatchObject({
    message: expect.stringMatching(`^the gateway cannot start: .*EADDRINUSE: address already in use .*:${port}\n$`),
    cause: 1,
  });
  await first.stop();
});

test("a gateway without a place for its journal does not start", async () => {
  await expect(scene.start("nowhere/outbox.jsonl")).rejects.toMatchObject({
    message: expect.stringMatching(/^the gateway cannot start: ENOENT: no such file or directory.*nowhere.*\n$/),
    cause: 1,
  });
});

test.each([
  ["PORT", "abc", /^the gateway cannot start: .*port should be >= 0 and < 65536.*\(NaN\)\.\n$/],
  ["PORT", "65536", /^the gateway cannot start: .*port should be >= 0 and < 65536.*\(65536\)\.\n$/],
  ["GATEWAY_TOKEN", "", /^ALLOWANCE_URL and GATEWAY_TOKEN must be set\n$/],
])("a gateway with the %s %j does not start, and says why", async (name, value, sentence) => {
  const message = expect.stringMatching(sentence);
  await expect(scene.start("never.jsonl", { [name]: value })).rejects.toMatchObject({ message, cause: 1 });
});
