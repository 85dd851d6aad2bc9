import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { type Finished, runToEnd, temporaryFolder } from "../product";
import { call, database, newAccount } from "./client";
import { linesOf } from "./command";

const command = (name: string, args: string[], input?: string): Promise<Finished> =>
  runToEnd(`models-${name}`, args, {
    env: { DATABASE_URL: inject("databaseUrl") },
    ...(input !== undefined && { input }),
  });
const answered = (finished: Finished) => {
  expect([finished.code, finished.stderr]).toEqual([0, ""]);
  return linesOf(finished);
};

// The specs share the operator's catalogue, so the names are new, and a day of its own bounds what is replaced.
const name = randomUUID();
const gone = `${name}-gone`;
const day = new Date(-1e12 - Math.floor(Math.random() * 1e13)).toISOString().slice(0, 10);

test("the operator's prices: dry run, import, replace from the standard input, list, history, delete", async () => {
  const account = await newAccount();
  const seen = async () =>
    (await call("GET", `/v1/models?search=${name}`, { key: account.apikey })).body.data.map(
      (model: { name: string; prices: { input: number } }) => [model.name, model.prices.input],
    );
  const folder = await temporaryFolder();
  const file = join(folder.path, "prices.json");
  const entry = { input_cost_per_token: 1.5e-7, output_cost_per_token: 6e-7 };
  await writeFile(file, JSON.stringify({ [name]: entry, [gone]: entry, image: { output_cost_per_image: 1 } }));
  const common = ["--rate", "7.2", "--valid-from", day];
  const fields = {
    ...{ aliases: [], currency: "USD", rate: 7.2, input_price: 0.15, output_price: 0.6 },
    ...{ cached_input_price: null, max_output_tokens: null, prices: { input: 1.08, output: 4.32, cached_input: 1.08 } },
  };
  try {
    const [tried] = answered(await command("import", [file, ...common, "--dry-run"]));
    expect(tried).toMatchObject({ dry_run: true, created_count: 2, skipped: [{ name: "image" }] });
    expect(await seen()).toEqual([]);
    const [imported] = answered(await command("import", [file, ...common]));
    expect(imported).toEqual({
      ...{ dry_run: false, created_count: 2, changed_count: 0, unchanged_count: 0, deleted_count: 0, skipped_count: 1 },
      changes: [name, gone].map((each) => ({
        ...{ change: "created", name: each, valid_from: day, before: null, after: fields },
        model_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      })),
      skipped: [{ name: "image", code: "no_price", reason: "it has no price per token" }],
    });
  } finally {
    await folder.remove();
  }
  // The running server has read the prices before; it sees the change at once.
  expect(await seen()).toEqual([
    [name, 1.08],
    [gone, 1.08],
  ]);
  const csv = `name,input_price,output_price\n${name},3,4\n`;
  const [replaced] = answered(await command("import", ["-", "--valid-from", day, "--replace"], csv));
  expect(replaced).toMatchObject({ changed_count: 1, deleted_count: 1 });
  expect(await seen()).toEqual([[name, 3]]);
  const other = await command("delete", [name, "--valid-from", "2999-01-01"]);
  const line = `there is no price of ${name} that begins on 2999-01-01; nothing was changed\n`;
  expect([other.code, other.stdout, other.stderr]).toEqual([1, "", line]);
  const listed = answered(await command("list", []));
  expect(listed.find((price) => price.name === name)).toMatchObject({ valid_from: day, prices: { input: 3 } });
  expect(answered(await command("delete", [name, "--valid-from", day]))).toEqual([
    { change: "deleted", name, valid_from: day },
  ]);
  expect(await seen()).toEqual([]);

  const history = answered(await command("history", ["--name", name]));
  expect(history.map(({ by, change, name: model }) => `${by} ${change} ${model === name ? "" : "gone"}`)).toEqual([
    "models:delete deleted ",
    "models:import changed ",
    "models:import deleted gone",
    "models:import created ",
    "models:import created gone",
  ]);
  const user = process.env.SUDO_USER || userInfo().username;
  expect(history.map((change) => change.user)).toEqual(history.map(() => user));
  // The name of the operator's user is nobody else's business.
  const changes = await call("GET", `/v1/models/changes?search=${name}&page_size=2`, { key: account.apikey });
  expect(changes.body).toMatchObject({
    total: 5,
    data: [
      { change: "deleted", by: "models:delete", name, before: { input_price: 3 }, after: null },
      { change: "changed", before: fields, after: { input_price: 3, currency: "CNY" } },
    ],
  });
  expect(changes.body.data[0]).not.toHaveProperty("user");
});

test("a price and its changes are found in any letter case of any script, however its accents are composed", async () => {
  const account = await newAccount();
  const end = randomUUID();
  const model = `Étoile-straße-${end}`;
  answered(await command("import", ["-"], `name,input_price,output_price\n${model},3,4\n`));
  for (const search of ["ÉTOILE-STRASSE", "étoile-straße", "e\u0301toile-strasse"]) {
    for (const path of ["/v1/models", "/v1/models/changes"]) {
      const query = new URLSearchParams({ search: `${search}-${end}` });
      const { body } = await call("GET", `${path}?${query}`, { key: account.apikey });
      expect([path, search, body.data.map((found: { name: string }) => found.name)]).toEqual([path, search, [model]]);
    }
  }
  answered(await command("delete", [model.normalize("NFD")]));
});

test("the prices of an account: import, delete, and their events", async () => {
  const account = await newAccount();
  const { email } = await database.prisma.account.findUniqueOrThrow({ where: { id: account.account_id } });
  const csv = `name,input_price,output_price\n${name},3,4\n`;
  answered(await command("import", ["-", "--account", email], csv));
  expect(answered(await command("list", ["--account", email]))).toMatchObject([{ name, input_price: 3 }]);
  answered(await command("delete", [name, "--account", email]));
  const { body } = await call("GET", "/v1/history", { key: account.apikey });
  expect(body.data.slice(0, 2)).toMatchObject([
    { action: "models.deleted", actor: { kind: "command_line", name: "models:delete" } },
    { action: "models.imported", actor: { kind: "command_line", name: "models:import" } },
  ]);
});

test("at a terminal, a change that leaves the prices of input and output says what it changes", async () => {
  const { email } = await database.prisma.account.findUniqueOrThrow({ where: { id: (await newAccount()).account_id } });
  const isTerminal = encodeURIComponent("process.stdout.isTTY = true");
  const { code, stdout } = await runToEnd("models-import", ["-", "--account", email], {
    env: { DATABASE_URL: inject("databaseUrl") },
    input: "name,input_price,output_price\nmodel,3,4\n",
  });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { created_count: 1 }]);
  const shown = await runToEnd("models-import", ["-", "--account", email], {
    env: {
      DATABASE_URL: inject("databaseUrl"),
      NODE_OPTIONS: `--import=data:text/javascript,${isTerminal}`,
    },
    input: "name,input_price,output_price,cached_input_price,aliases\nmodel,3,4,1,other\nnew,5,6,,\n",
  });
  expect(shown.stdout.split("\n")).toEqual([
    "change   name   valid from  yuan before  yuan after  fields",
    "changed  model  1970-01-01  3 / 4        3 / 4       aliases, cached_input_price",
    "created  new    1970-01-01  -            5 / 6       -",
    "Prices: 1 created, 1 changed, 0 deleted, 0 unchanged.",
    "",
  ]);
});

test.each<[string, string[], number, RegExp, string?]>([
  [
    "a rate that is no number",
    ["import", "-", "--rate", "7,2"],
    2,
    /^rate: must be a number above 0, for example 7\.2; usage: /,
  ],
  ["a rate below 0", ["import", "-", "--rate=-1"], 2, /^rate: must be a number above 0, for example 7\.2; usage: /],
  ["a day that is none", ["import", "-", "--valid-from", "today"], 2, /^valid-from: must be a date in the format/],
  ["no rate", ["import", "-"], 1, /^rate: is required: yuan for one USD; nothing was changed\n$/, "{}"],
  ["a file that does not exist", ["import", "/nowhere.csv"], 1, /^nothing was changed: \/nowhere\.csv: ENOENT\n$/],
  ["a name that has no price", ["delete", randomUUID()], 1, /^there is no price of .*; nothing was changed\n$/],
])("%s: one line", async (_, [verb = "", ...args], code, line, input) => {
  const finished = await command(verb, args, input);
  expect([finished.code, finished.stdout, finished.stderr]).toEqual([code, "", expect.stringMatching(line)]);
});
