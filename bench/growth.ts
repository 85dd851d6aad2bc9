import type { Client } from "pg";
import { hashKeyValue } from "../server/keys/key-value";
import { authorizeAndCapture, createKeys, recognise } from "./endpoints";
import { type Growth, type GrowthLine, plotGrowth } from "./growth-plot";
import { type Endpoint, type Extent, load } from "./load";
import { median } from "./median";
import { atLeast, type Part } from "./part";
import { isQuick, sized } from "./quick";
import { findAccountId, makeKeyValues, seedAccounts, seedKeys } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";
import { count, table } from "./table";

/** The callers of one step. */
interface Callers {
  /** Default keys. They create keys. */
  owners: string[];
  /** Keys with limits. They are recognised, and spend. */
  spenders: string[];
}

const SIZES = isQuick ? [1_000, 5_000] : [1_000, 10_000, 100_000, 1_000_000];
const ACCOUNTS = sized(20_000, 1_000);
const KEYS_EACH = 5;
/** How many keys are used at each step, spread over all that there are. */
const SPENDERS = 500;
const ROUNDS = 3;
/** A round, and the warm-up before the rounds. */
const ROUND: Extent = { seconds: sized(4, 0.5) };
/** Creations make the database larger, so there are few: three rounds and a warm-up fit below the next size. */
const CREATING_ROUND: Extent = { requests: sized(2_000, 100) };
/** The last step divided by the first is at least this. */
const LEAST_SHARE = 0.85;

/** How fast the hot path stays from an empty database to a million keys. */
export const growth: Part<Growth> = {
  name: "growth",
  isOnRequest: true,
  measure: (folder) => withServers(folder, measure),
  report: () => `## Growth

[growth.md](growth.md) shows the speed from an empty database to a million keys, with a plot.`,
  targets: ({ lines }) =>
    lines.map(({ title, shares }) =>
      atLeast(`${title}: the last step as a share of the first`, shares.at(-1) ?? 0, LEAST_SHARE),
    ),
  files: (figures) => ({ "bench/growth.md": page(figures), "bench/growth.svg": plotGrowth(figures) }),
};

async function measure(servers: Servers): Promise<Growth> {
  const { client, product, reference } = servers;
  const owner = await createAccount(servers, "owner@example.com");
  const accountId = await findAccountId(client, owner);
  const yardstick = authorizeAndCapture("yardstick", await seedYardstick(client));
  // The first figure must not be that of code that is not compiled yet. Another account is used for that.
  await load(product.url, createKeys("warm-up", [await createAccount(servers, "other@example.com")]), CREATING_ROUND);
  await load(reference.url, yardstick, ROUND);

  const steps: string[] = [];
  const results: StepResult[] = [];
  const take = async (title: string, callers: Callers) => {
    console.error(`bench: growth: ${title}`);
    steps.push(title);
    results.push(await measureStep(servers, yardstick, callers));
  };
  for (const size of SIZES) {
    const spenders = makeKeyValues(SPENDERS);
    await seedKeys(client, accountId, spenders, size - (await countKeys(client, accountId)));
    await take(`${count(size)} keys`, { owners: [owner], spenders: spenders.map(({ value }) => value) });
  }
  const [defaults, keys] = [makeKeyValues(ACCOUNTS), makeKeyValues(ACCOUNTS)];
  await seedAccounts(client, defaults, keys, KEYS_EACH);
  const sample = <T>(all: readonly T[]) => all.filter((_, place) => place % (ACCOUNTS / SPENDERS) === 0);
  await take(`and ${count(ACCOUNTS)} accounts of ${KEYS_EACH} keys`, {
    owners: sample(defaults).map(({ value }) => value),
    spenders: sample(keys).map(({ value }) => value),
  });
  return { steps, yardstick: results.map((result) => result.yardstick), lines: linesOf(results) };
}

interface StepResult {
  yardstick: number;
  operations: { title: string; perSecond: number; corrected: number }[];
}

/** Measures all operations. Each round of one is divided by a round of the yardstick just before it. */
async function measureStep(servers: Servers, yardstick: Endpoint, { owners, spenders }: Callers): Promise<StepResult> {
  const { product, reference, client } = servers;
  const operations: [Endpoint, Extent][] = [
    [recognise("recognise a caller", spenders), ROUND],
    [authorizeAndCapture("authorize and capture", spenders), ROUND],
    [createKeys("create a key", owners), CREATING_ROUND],
  ];
  // What the filling left behind must not slow the first figure. Statistics are left to the product.
  await client.query("CHECKPOINT");
  const yardsticks: number[] = [];
  const measured = [];
  for (const [endpoint, extent] of operations) {
    await load(product.url, endpoint, extent);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { perSecond: standard } = await load(reference.url, yardstick, ROUND);
      const { perSecond } = await load(product.url, endpoint, extent);
      yardsticks.push(standard);
      rounds.push({ perSecond, corrected: perSecond / standard });
    }
    measured.push({
      title: endpoint.title,
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
      corrected: median(rounds.map(({ corrected }) => corrected)),
    });
  }
  return { yardstick: median(yardsticks), operations: measured };
}

/** Puts keys into the tables of the reference alone, whose number stays the same. Returns their values. */
async function seedYardstick(client: Client): Promise<string[]> {
  const keys = makeKeyValues(SPENDERS);
  await client.query(
    `WITH value AS (
        SELECT * FROM unnest($1::text[], $2::bytea[]) AS value(id, hash)
      ), key AS (
        INSERT INTO reference.key (account_id, apikey_id, name, budget) SELECT 'yardstick', id, 'key', 1e12 FROM value
        RETURNING id, apikey_id
      )
      INSERT INTO reference.secret (hash, account_id, key_id)
      SELECT value.hash, 'yardstick', key.id FROM key JOIN value ON value.id = key.apikey_id`,
    [keys.map(({ id }) => id), keys.map(({ value }) => hashKeyValue(value))],
  );
  return keys.map(({ value }) => value);
}

async function countKeys(client: Client, accountId: string): Promise<number> {
  const { rows } = await client.query("SELECT count(*)::int AS keys FROM api_key WHERE account_id = $1", [accountId]);
  return rows[0].keys;
}

function linesOf(results: readonly StepResult[]): GrowthLine[] {
  const [first] = results;
  return (first?.operations ?? []).map(({ title, corrected }, place) => {
    const points = results.flatMap(({ operations }) => operations[place] ?? []);
    return {
      title,
      perSecond: points.map((point) => point.perSecond),
      shares: points.map((point) => point.corrected / corrected),
    };
  });
}

function page({ steps, yardstick, lines }: Growth): string {
  const rows = lines.flatMap(({ title, perSecond, shares }) => [
    [title, "requests/s", ...perSecond.map(count)],
    ["", "share of the first", ...shares.map((share) => `**${share.toFixed(2)}**`)],
  ]);
  return `# Growth

Written by \`npm run bench -- growth\`. The database is new. Nothing analyses it but the product itself and PostgreSQL's
autovacuum. Keys are added to one account until the next step is reached, by SQL, with their history, as the API would
write them; at last other accounts beside it, which then are the callers. Each step uses ${SPENDERS} keys that are spread
over those it has added; they are recognised, and spend. Creating adds keys of its own, by the default key of the account,
and at last by those of ${SPENDERS} accounts.

Each figure is the median of ${ROUNDS} rounds over 32 connections. The share of the first step is corrected for the noise of the
machine: each round is divided by a round of the yardstick just before it, which is the same work of the reference server
on ${SPENDERS} keys of its own.

![Speed of each operation by the number of keys, as a share of the first step](growth.svg)

${table(["operation", "", ...steps], [...rows, ["yardstick", "requests/s", ...yardstick.map(count)]])}
`;
}
