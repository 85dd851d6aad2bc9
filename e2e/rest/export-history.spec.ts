import { beforeEach, describe, expect, inject, test } from "vitest";
import { type Account, call, database, newAccount, newGroup, newKey } from "./client";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

/** Asks for the file as a program does. */
function fetchFile(query: Record<string, string> = {}, key = account.apikey): Promise<Response> {
  const url = `${inject("productUrl")}/v1/history/export?${new URLSearchParams(query)}`;
  return fetch(url, { headers: { authorization: `Bearer ${key}` } });
}

const linesOf = (text: string) => text.trimEnd().split("\n");
const list = async (query: Record<string, string> = {}) => {
  const path = `/v1/history?${new URLSearchParams({ page_size: "100", ...query })}`;
  return (await call("GET", path, { key: account.apikey })).body.data;
};

/** Adds events with the numbers 0 to `count` − 1, the last one newest. */
function addEvents(count: number): Promise<unknown> {
  return database.pool.query(
    `INSERT INTO event (account_id, id, at, actor, actor_name, action, after)
      SELECT $1, lpad(to_hex(n), 24, '0'), now() - (1 + $2 - n) * interval '1 minute', 'rest', 'sk-0000000', 'key.created',
        jsonb_build_object('number', n)
      FROM generate_series(0, $2 - 1) AS n`,
    [account.account_id, count],
  );
}

test("JSON lines: every event as the list has it, newest first", async () => {
  const group_id = await newGroup(account, "Research");
  await newKey(account, { group_id, budget: 5 });
  const answer = await fetchFile({ format: "jsonl" });
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
    200,
    "application/x-ndjson",
    'attachment; filename="history.jsonl"',
  ]);
  expect([answer.headers.get("cache-control"), answer.headers.get("x-content-type-options")]).toEqual([
    "no-store",
    "nosniff",
  ]);
  const events = linesOf(await answer.text()).map((line) => JSON.parse(line));
  expect(events).toEqual(await list());
  expect(events).toHaveLength(3);
});

test("the document of the API has the header that names a file, here and where usage is exported", async () => {
  const { body } = await call("GET", "/openapi.json");
  for (const path of ["/v1/history/export", "/v1/usage/export"]) {
    const { headers } = body.paths[path].get.responses[200];
    expect(headers["Content-Disposition"]).toEqual({ $ref: "#/components/headers/Content-Disposition" });
  }
});

test("CSV is the format that nobody has to name, with a head and a line for each event", async () => {
  const { id } = await newKey(account, { budget: 5 });
  const answer = await fetchFile({ action: "key.created" });
  expect([answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
    "text/csv; charset=utf-8",
    'attachment; filename="history.csv"',
  ]);
  const [head, line, ...more] = Buffer.from(await answer.arrayBuffer())
    .toString()
    .split("\r\n");
  expect(head).toBe(
    "\uFEFFid,at,action,actor,actor_name,address,group_id,group_name,key_count,keys,before,after,reverts",
  );
  expect(more).toEqual([""]);
  const [event] = await list({ action: "key.created" });
  const at = new Date(event.at * 1000).toISOString().replace(".000Z", "Z");
  const key = `"[{""name"":""a key"",""after"":{},""before"":{},""apikey_id"":""${id}""}]"`;
  const after = '"{""name"":""a key"",""budget"":5}"';
  const own = account.apikey.slice(0, 10);
  expect(line).toBe(`${event.id},${at},key.created,rest,${own},${event.address},,,1,${key},{},${after},`);
});

test("a name that a spreadsheet would compute stands there as text", async () => {
  await newGroup(account, '=HYPERLINK("http://x")');
  expect(await (await fetchFile({ action: "group.created" })).text()).toContain(`,"'=HYPERLINK(""http://x"")",`);
});

test("many events come whole, each once, and from any event on", async () => {
  await addEvents(1_234);
  const numbers = async (query: Record<string, string>) =>
    linesOf(await (await fetchFile({ format: "jsonl", action: "key.created", ...query })).text()).map(
      (line) => JSON.parse(line).after.number,
    );
  const expected = Array.from({ length: 1_234 }, (_, n) => 1_233 - n);
  expect(await numbers({})).toEqual(expected);
  expect(await numbers({ after: (500).toString(16).padStart(24, "0") })).toEqual(expected.slice(734));
  expect(linesOf(await (await fetchFile({ action: "key.created" })).text())).toHaveLength(1_235);
  // Exactly one part: there is no line too many behind it.
  expect(await numbers({ after: (500).toString(16).padStart(24, "0"), to: "9999-12-31" })).toHaveLength(500);
});

test("a client that goes away costs the server nothing more", async () => {
  await addEvents(5_000);
  const stop = new AbortController();
  const url = `${inject("productUrl")}/v1/history/export`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${account.apikey}` }, signal: stop.signal });
  stop.abort();
  await expect(answer.text()).rejects.toThrow();
  expect((await fetchFile({ action: "account.created" })).status).toBe(200);
});

test("filters are those of the list", async () => {
  const { id } = await newKey(account);
  await newKey(account);
  const answer = await fetchFile({ format: "jsonl", apikey_id: id });
  expect(linesOf(await answer.text()).map((line) => JSON.parse(line))).toEqual(await list({ apikey_id: id }));
});

test("another account's events are in no file, also behind an event of the other", async () => {
  const stranger = await newAccount();
  const [event] = await list();
  const answer = await fetchFile({ format: "jsonl", after: event.id }, stranger.apikey);
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

describe("errors", () => {
  test("401 and 403", async () => {
    const { apikey } = await newKey(account);
    expect((await fetchFile({}, "sk-nonsense")).status).toBe(401);
    expect((await fetchFile({}, inject("gatewayToken"))).status).toBe(401);
    expect((await fetchFile({}, apikey)).status).toBe(403);
  });

  test.each([
    ["format=xlsx", /^format: must be one of csv, jsonl$/],
    ["action=nothing", /^action: must be one of /],
    ["after=nope", /^after: must be a valid ObjectId/],
  ])("400: %s", async (query, error) => {
    const answer = await call("GET", `/v1/history/export?${query}`, { key: account.apikey });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(error)]);
  });
});
