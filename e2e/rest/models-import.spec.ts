import { beforeEach, describe, expect, test } from "vitest";
import { type Account, call, newAccount, rows } from "./client";

let account: Account;
beforeEach(async () => {
  account = await newAccount();
});

const post = (path: string, body: unknown) => call("POST", `/v1/models${path}`, { key: account.apikey, body });
const set = (models: unknown[]) => post("", { models });
const list = async (query = "") =>
  (await call("GET", `/v1/models?source=account${query}`, { key: account.apikey })).body;
const own = async () => (await list()).data;

const PLAIN = { input_price: 3.5, output_price: 12 };

describe("200", () => {
  test("LiteLLM's file: exact prices per million, and why entries are left out", async () => {
    const content = JSON.stringify({
      sample_spec: { input_cost_per_token: 0, output_cost_per_token: 0, mode: "one of chat, …" },
      "example/chat": {
        input_cost_per_token: 1.5e-7,
        output_cost_per_token: 6e-7,
        cache_read_input_token_cost: 7.5e-8,
        max_tokens: 4096,
        max_output_tokens: 16384,
        litellm_provider: "example",
        mode: "chat",
      },
      "example/embedding": { input_cost_per_token: 2e-8, max_tokens: 8191, mode: "embedding" },
      "example/image": { output_cost_per_image: 0.04, mode: "image_generation" },
      "example/audio": { input_cost_per_second: 0.0001, input_cost_per_token: 0, output_cost_per_token: 0 },
      "example/half": { input_cost_per_token: 1e-6, mode: "chat" },
      "example/tiny": { input_cost_per_token: 1e-16, output_cost_per_token: 1e-6 },
    });
    await set([
      { name: "gone", ...PLAIN },
      { name: "stays", ...PLAIN, valid_from: "2001-01-01" },
    ]);
    const { status, body } = await post("/import", { format: "litellm", content, rate: 7.2, replace: true });
    expect([status, body.message]).toEqual([
      200,
      "Prices: 2 created, 0 changed, 1 deleted, 0 unchanged; 5 of the file left out.",
    ]);
    expect(body.skipped).toEqual([
      { name: "sample_spec", code: "describes_format", reason: "it describes the format" },
      { name: "example/image", code: "no_price", reason: "it has no price per token" },
      { name: "example/audio", code: "not_by_tokens", reason: "it is not priced by tokens" },
      { name: "example/half", code: "no_output_price", reason: "it has no price of output tokens" },
      { name: "example/tiny", code: "rounds_to_zero", reason: "a price of it is too small: it would round to 0" },
    ]);
    expect(await own()).toMatchObject([
      {
        name: "example/chat",
        currency: "USD",
        rate: 7.2,
        input_price: 0.15,
        output_price: 0.6,
        cached_input_price: 0.075,
        max_output_tokens: 16384,
        prices: { input: 1.08, output: 4.32, cached_input: 0.54 },
      },
      { name: "example/embedding", input_price: 0.02, output_price: 0, max_output_tokens: 8191 },
      { name: "stays" },
    ]);
  });

  test("LiteLLM's file: a price that JavaScript reads as 0 is left out, and not free of charge", async () => {
    const content =
      '{"number": {"input_cost_per_token": 1e-400, "output_cost_per_token": 0},' +
      ' "text": {"input_cost_per_token": 1e-6, "output_cost_per_token": "1e-400"},' +
      ' "free": {"input_cost_per_token": 0, "output_cost_per_token": 0.0}}';
    const { status, body } = await post("/import", { format: "litellm", content, rate: 7.2 });
    expect([status, body.created_count]).toEqual([200, 1]);
    const reason = "a price of it is too small: it would round to 0";
    expect(body.skipped).toEqual([
      { name: "number", code: "rounds_to_zero", reason },
      { name: "text", code: "rounds_to_zero", reason },
    ]);
  });

  test("LiteLLM's file: an entry with a price that is no number of 0 or more is left out, and says which", async () => {
    const priced = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
    const content = JSON.stringify({
      good: { ...priced, cache_read_input_token_cost: null },
      input: { ...priced, input_cost_per_token: -1e-6 },
      output: { ...priced, mode: "embedding", output_cost_per_token: "2 cents" },
      cached: { ...priced, cache_read_input_token_cost: -1e-7 },
    });
    const { status, body } = await post("/import", { format: "litellm", content, rate: 7.2 });
    const reason = (field: string) => `${field}: must be a number of 0 or more`;
    expect([status, body.skipped]).toEqual([
      200,
      [
        { name: "input", code: "refused", reason: reason("input_cost_per_token") },
        { name: "output", code: "refused", reason: reason("output_cost_per_token") },
        { name: "cached", code: "refused", reason: reason("cache_read_input_token_cost") },
      ],
    ]);
    expect(await own()).toMatchObject([{ name: "good", input_price: 1, output_price: 2, cached_input_price: null }]);
  });

  test("LiteLLM's file: tokens that cost nothing where writing the cache does are not free of charge", async () => {
    const free = { input_cost_per_token: 0, output_cost_per_token: 0 };
    const content = JSON.stringify({
      free: { ...free, cache_creation_input_token_cost: 0 },
      written: { ...free, cache_creation_input_token_cost: 1e-6 },
      read: { ...free, cache_read_input_token_cost: 1e-6 },
    });
    const { status, body } = await post("/import", { format: "litellm", content, rate: 7.2 });
    expect([status, body.skipped]).toEqual([
      200,
      [{ name: "written", code: "not_by_tokens", reason: "it is not priced by tokens" }],
    ]);
    expect(await own()).toMatchObject([{ name: "free" }, { name: "read", cached_input_price: 1 }]);
  });

  test("CSV with every column, as spreadsheets write it", async () => {
    const content =
      "\uFEFFName,input_price,output_price,cached_input_price,currency,rate,max_output_tokens,valid_from,aliases,\r\n" +
      'm,0.15,"0.6",0.075,usd,7.2,16384,2026-01-01,m-1; m-2,\r\n' +
      "\r\n" +
      "n,1e1,.5,,,,,,,\r\n";
    const { status, body } = await post("/import", { format: "csv", content });
    expect([status, body.created_count]).toEqual([200, 2]);
    expect(await own()).toMatchObject([
      { name: "m", aliases: ["m-1", "m-2"], prices: { input: 1.08, cached_input: 0.54 }, valid_from: "2026-01-01" },
      { name: "n", currency: "CNY", input_price: 10, output_price: 0.5, cached_input_price: null },
    ]);
  });

  test("CSV with faults behind a cell of two lines: each is named with its line", async () => {
    const content =
      'name,input_price,output_price,max_output_tokens,aliases\n"a",1,2,,"a-1;\r\na-2"\nb,1,2,many,\nc,1,2,1.5,\nd,x,2,,\ne,1,2,0x10,\nf,1,2,1e3,\n';
    const { status, body } = await post("/import", { format: "csv", content });
    expect([status, body.error.split("; ")]).toEqual([
      400,
      [
        "content.line 4 (b).max_output_tokens: must be a whole number",
        "content.line 5 (c).max_output_tokens: must be a whole number",
        "content.line 6 (d).input_price: must be a number of 0 or more, for example 2.5",
        "content.line 7 (e).max_output_tokens: must be a whole number",
      ],
    ]);
  });

  test("CSV with faults in lines that end otherwise than the line of columns: each is named with its line", async () => {
    const content = 'name,input_price,output_price,aliases\na,1,2,"a-1;\na-2"\r\nb,1,2,\r\nc,x,2,\r\n';
    const { status, body } = await post("/import", { format: "csv", content });
    expect([status, body.error]).toEqual([
      400,
      "content.line 5 (c).input_price: must be a number of 0 or more, for example 2.5",
    ]);
  });

  test("CSV whose aliases have more semicolons than the line of columns has commas", async () => {
    const columns =
      "name,input_price,output_price,cached_input_price,currency,rate,max_output_tokens,valid_from,aliases";
    const content = `${columns}\nm,1,2,,,,,,m-1;m-2;m-3;m-4\n`;
    const { status, body } = await post("/import", { format: "csv", content });
    expect([status, body.created_count]).toEqual([200, 1]);
    expect(await own()).toMatchObject([{ name: "m", aliases: ["m-1", "m-2", "m-3", "m-4"], input_price: 1 }]);
  });

  test.each(["\t", ";"])("CSV with %j between the columns", async (sign) => {
    const content = ["name,input_price,aliases,output_price", 'm,1,"m-1;m-2",2', ""].join("\n").replaceAll(",", sign);
    expect((await post("/import", { format: "csv", content })).status).toBe(200);
    expect(await own()).toMatchObject([{ name: "m", aliases: ["m-1", "m-2"], input_price: 1, output_price: 2 }]);
  });

  test("of a name that stands twice in LiteLLM's JSON, the last entry counts", async () => {
    const entry = (price: number) => `"m": {"input_cost_per_token": ${price}, "output_cost_per_token": ${price}}`;
    const content = `{${entry(1e-6)}, ${entry(2e-6)}}`;
    const { body } = await post("/import", { format: "litellm", content, rate: 7.2 });
    expect([body.created_count, body.skipped_count]).toEqual([1, 0]);
    expect(await own()).toMatchObject([{ name: "m", input_price: 2, output_price: 2 }]);
  });

  test("2,500 prices of a file, and the same file again", async () => {
    const models = Array.from({ length: 2_500 }, (_, i) => [
      `example/model-${i}`,
      {
        input_cost_per_token: (i + 1) * 1e-9,
        output_cost_per_token: 2e-6,
        max_output_tokens: 8192,
        note: "x".repeat(400),
      },
    ]);
    const content = JSON.stringify(Object.fromEntries(models), null, 4);
    expect(content.length).toBeGreaterThan(1_300_000);
    const first = await post("/import", { format: "litellm", content, rate: 7.2 });
    expect([first.status, first.body.created_count]).toEqual([200, 2_500]);
    const again = await post("/import", { format: "litellm", content, rate: 7.2, replace: true });
    expect([again.body.unchanged_count, again.body.deleted_count]).toEqual([2_500, 0]);
    expect((await list("&page_size=1")).total).toBe(2_500);
  });
});

describe("400", () => {
  const line = "name,input_price,output_price";
  const entries = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, { mode: "chat" }])));
  test.each<[string, object, string]>([
    [
      "no JSON",
      { format: "litellm", content: "{", rate: 7 },
      "content: must be the JSON of an object with a model for each name",
    ],
    ["no rate", { format: "litellm", content: "{}" }, "rate: is required: yuan for one USD"],
    ["no price", { format: "litellm", content: "{}", rate: 7 }, "content: has no price of a model"],
    [
      "no entry that can be priced",
      { format: "litellm", content: '{"a": {"mode": "chat"}, "b": {"mode": "chat"}, "c": 5}', rate: 7, replace: true },
      "content: has no price of a model; left out: 2 entries (it has no price per token), 1 entry (it is not an object)",
    ],
    ["no column", { format: "csv", content: "name,input_price\nm,1" }, "content.line 1: has no column output_price"],
    [
      "an unknown column",
      { format: "csv", content: `${line},price\nm,1,2,3` },
      "content.line 1: has a column that is unknown or stands twice; the columns are name, input_price, output_price, cached_input_price, currency, rate, max_output_tokens, valid_from, aliases",
    ],
    [
      "faults in lines",
      { format: "csv", content: `${line}\nm,1,2\n\nn,"1,5",\nm,1,2` },
      "content.line 4 (n).input_price: must be a number of 0 or more, for example 2.5; content.line 4 (n).output_price: must not be empty; content.line 5 (m): has the name and the first day of line 2",
    ],
    [
      "prices that JavaScript reads as 0",
      { format: "csv", content: `${line}\nm,1e-400,0.${"0".repeat(400)}1` },
      "content.line 2 (m).input_price: is too small: it would round to 0; content.line 2 (m).output_price: is too small: it would round to 0",
    ],
    [
      "numbers that are less above the highest than JavaScript can tell",
      {
        format: "csv",
        content: `${line},currency,rate\nm,1000000000000000.000000001,2,USD,1000000000000000.000000001`,
      },
      "content.line 2 (m).rate: must be 1e15 or less; content.line 2 (m).input_price: must be 1e15 or less",
    ],
    [
      "a number of more digits than any price has",
      { format: "csv", content: `${line}\nm,0.${"1".repeat(1_001)},1${"0".repeat(1_000)}` },
      "content.line 2 (m).input_price: must be a number of 0 or more, for example 2.5; content.line 2 (m).output_price: must be a number of 0 or more, for example 2.5",
    ],
    [
      "a rate that is missing in a line",
      { format: "csv", content: `${line},currency\nm,1,2,EUR`, currency: "USD", rate: 7.2 },
      "content.line 2 (m).rate: is required, because the prices are not in yuan",
    ],
    [
      "an open quote",
      { format: "csv", content: `${line}\n"m,1,2` },
      "content.line 2: has a cell in quotation marks that is not closed, or has a single one inside",
    ],
    [
      "a quote that does not end its cell, behind a cell of two lines",
      { format: "csv", content: `${line},aliases\nm,1,2,"m-1;\nm-2"\n"n" x,1,2,\no,1,2,` },
      "content.line 4: has a cell in quotation marks that is not closed, or has a single one inside",
    ],
    [
      "as many lines as there may be",
      { format: "csv", content: `${line}\n${"\n".repeat(19_998)}m,1,x\n` },
      "content.line 20000 (m).output_price: must be a number of 0 or more, for example 2.5",
    ],
    [
      "more lines",
      { format: "csv", content: `${line}\n${"\n".repeat(20_000)}m,1,2\n` },
      "content: has more than 20000 lines",
    ],
    [
      "as many entries as there may be",
      { format: "litellm", content: entries(20_000), rate: 7 },
      "content: has no price of a model; left out: 20000 entries (it has no price per token)",
    ],
    ["more entries", { format: "litellm", content: entries(20_001), rate: 7 }, "content: has more than 20000 entries"],
    [
      "more prices than a catalogue may have",
      { format: "csv", content: `${line}\n${Array.from({ length: 10_001 }, (_, i) => `m${i},1,2`).join("\n")}` },
      "content: has 10001 prices; a catalogue may have at most 10000",
    ],
    [
      "many columns, which the lines do not have",
      { format: "csv", content: `name${",".repeat(1_900_000)}input_price,output_price\nm\n${"\n".repeat(19_000)}` },
      "content.line 2 (m).input_price: must not be empty; content.line 2 (m).output_price: must not be empty",
    ],
  ])("import: %s", async (_, body, error) => {
    const before = await rows(account);
    const answer = await post("/import", body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error }]);
    expect(await rows(account)).toEqual(before);
  });
});
