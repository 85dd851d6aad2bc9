import { type Bounds, type Comparison, compare, comparisonTable, comparisonTargets, on } from "./compare";
import {
  authorize,
  authorizeAndCapture,
  authorizeAndCaptureByModel,
  authorizeAndCaptureWith,
  authorizeByModel,
  check,
  EMPTY_ANSWER,
} from "./endpoints";
import { type Endpoint, load } from "./load";
import type { Part } from "./part";
import { sized } from "./quick";
import { findAccountId, makeKeyValues, seedAccounts, seedKeys } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";

const KEYS = 1_000;

/** A model in the operator's catalogue. */
const MODEL = "bench-model";
/** Requests per second by model, divided by those by amount. */
const LEAST_BY_MODEL = 0.9;
/** Requests per second with a credential that is in the database, divided by those with a token of `GATEWAY_TOKENS`. */
const LEAST_WITH_CREDENTIAL = 0.9;
/** A token as `gateway:create` makes it. */
const MADE_TOKEN = `gw-${"b".repeat(43)}`;

interface Figures {
  comparisons: Comparison[];
  /** Of the product alone: by model, beside by amount. */
  byModel: Comparison[];
  /** Of the product alone: with a credential that is in the database, beside one that is configured. */
  byCredential: Comparison[];
  /** Processor time of the load itself, in microseconds for one request of the empty answer. */
  loadMicroseconds: number;
}

/** Authorize, capture and check beside the reference server. */
export const spend: Part<Figures> = {
  name: "spend",
  measure: (folder) => withServers(folder, measure),
  report: ({ comparisons, byModel, byCredential, loadMicroseconds }) => `## Spend

A gateway's calls, each for the next key in turn.

${comparisonTable(comparisons)}

The same for 1,000 keys of one account, by a model and its tokens beside by an amount. Both are the product.

${comparisonTable(byModel, ["by model", "by amount"])}

The same by an amount, with a credential that the database has to find valid beside a token of \`GATEWAY_TOKENS\`. Both are the
product.

${comparisonTable(byCredential, ["in the database", "configured"])}

The load itself takes ${loadMicroseconds.toFixed(0)} µs of processor time for a request of the empty answer.`,
  targets: ({ comparisons, byModel, byCredential }) => [
    ...comparisonTargets(comparisons),
    ...comparisonTargets(byModel, "ratio to that by amount"),
    ...comparisonTargets(byCredential, "ratio to that with a configured token"),
  ],
};

async function measure(servers: Servers): Promise<Figures> {
  const { product, reference, client } = servers;
  const owner = await createAccount(servers, "spender@example.com");
  const ofOneAccount = await seedSpenders(servers, owner);
  const ofManyAccounts = await seedOwners(servers);
  const faster = { least: 2, isTailBound: true };
  const endpoints: [Endpoint, Bounds][] = [
    [authorizeAndCapture("authorize and capture, 1,000 keys of one account", ofOneAccount), faster],
    [authorizeAndCapture("authorize and capture, 1,000 accounts of one key", ofManyAccounts), faster],
    [authorizeAndCapture("authorize and capture, one key", ofOneAccount.slice(0, 1)), { least: 5 }],
    [check("check, 1,000 keys", ofOneAccount), { least: 1.5 }],
    [EMPTY_ANSWER, {}],
  ];
  const comparisons = [];
  for (const [endpoint, bounds] of endpoints) {
    comparisons.push(await compare(client, on(product, endpoint), on(reference, endpoint), bounds));
  }
  const byModel = await compareByModel(servers, ofOneAccount);
  const byCredential = await compareByCredential(servers, owner, ofOneAccount);
  return { comparisons, byModel, byCredential, loadMicroseconds: await measureLoad(reference.url) };
}

async function compareByCredential(
  { product, client }: Servers,
  owner: string,
  keys: readonly string[],
): Promise<Comparison[]> {
  await client.query("INSERT INTO gateway_token (hash, name) VALUES (sha256($1::text::bytea), 'made')", [MADE_TOKEN]);
  const compared = [];
  for (const [title, credential] of [
    ["authorize and capture, a default key", owner],
    ["authorize and capture, a token of gateway:create", MADE_TOKEN],
  ] as const) {
    const inDatabase = on(product, authorizeAndCaptureWith(title, credential, keys));
    const configured = on(product, authorizeAndCapture(title, keys));
    compared.push(await compare(client, inDatabase, configured, { least: LEAST_WITH_CREDENTIAL }));
  }
  return compared;
}

async function compareByModel({ product, client }: Servers, keys: readonly string[]): Promise<Comparison[]> {
  await client.query(
    `WITH written AS (
        INSERT INTO operator_price (id, name, aliases, input_price, output_price)
        VALUES (repeat('0', 24), $1, '{}', 1000, 1000)
      ) UPDATE operator_catalogue SET prices_version = prices_version + 1`,
    [MODEL],
  );
  const pairs: [Endpoint, Endpoint][] = [
    [authorizeByModel("authorize", keys, MODEL), authorize("authorize", keys)],
    [
      authorizeAndCaptureByModel("authorize and capture", keys, MODEL),
      authorizeAndCapture("authorize and capture", keys),
    ],
  ];
  const compared = [];
  for (const [byModel, byAmount] of pairs) {
    compared.push(await compare(client, on(product, byModel), on(product, byAmount), { least: LEAST_BY_MODEL }));
  }
  return compared;
}

/** Puts 1,000 keys with limits into the account of a default key, or into a new one, and returns their values. */
export async function seedSpenders(servers: Servers, ofAccount?: string): Promise<string[]> {
  const owner = ofAccount ?? (await createAccount(servers, "spender@example.com"));
  const keys = makeKeyValues(KEYS);
  await seedKeys(servers.client, await findAccountId(servers.client, owner), keys, KEYS);
  return keys.map(({ value }) => value);
}

/** Makes 1,000 accounts with one key beside the default key, and returns the values of these keys. */
async function seedOwners({ client }: Servers): Promise<string[]> {
  const keys = makeKeyValues(KEYS);
  await seedAccounts(client, makeKeyValues(KEYS), keys, 2);
  return keys.map(({ value }) => value);
}

/** Processor time of this process for a request, in microseconds. */
async function measureLoad(url: string): Promise<number> {
  const begun = process.cpuUsage();
  const { requests } = await load(url, EMPTY_ANSWER, { seconds: sized(3, 0.5) });
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / requests;
}
