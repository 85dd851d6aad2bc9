import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onClose } from "./closers";
import { settle } from "./compare";
import { authorizeAndCaptureWith } from "./endpoints";
import type { Answers } from "./flood";
import { load, type Measurement } from "./load";
import { atMost, type Part } from "./part";
import { sized } from "./quick";
import { findAccountId, makeKeyValues, seedKeys } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";
import { count, table } from "./table";

interface Figures {
  /** Keys of the account that asks for much. */
  keys: number;
  /** Authorizations and captures of the other account: alone, and during the flood. */
  quiet: Measurement;
  during: Measurement;
  answers: Answers;
}

const KEYS = sized(20_000, 2_000);
const SPENDERS = 100;
const SECONDS = sized(15, 3);
const WARM_UP_SECONDS = sized(5, 1);
/** The 99th percentile may become so many times as long. */
const GREATEST_TAIL = 3;

/** What one account's authorizations take while another account asks for as much as it can. */
export const fairness: Part<Figures> = {
  name: "fairness",
  measure: (folder) => withServers(folder, measure),
  report: ({ keys, quiet, during, answers }) => `## Two accounts

One account authorizes and captures with its default key. Another, with ${count(keys)} keys, sends 60 exports of them at once,
batches of 10 lists over 8 connections, and batches of 120, all without a pause after an answer.

${table(
  ["authorize and capture", "requests/s", "p50 ms", "p99 ms", "longest ms"],
  [
    ["alone", ...cells(quiet)],
    ["during the flood", ...cells(during)],
  ],
)}

How the flood was answered:

${table(
  ["asked", "answers by status"],
  Object.entries(answers).map(([what, statuses]) => [
    what,
    Object.entries(statuses)
      .map(([status, times]) => `${status}: ${count(times)}`)
      .join(", "),
  ]),
)}`,
  targets: ({ quiet, during, answers }) => [
    atMost("p99 of spend while another account floods: times the quiet one", during.p99 / quiet.p99, GREATEST_TAIL),
    atMost(
      "answers to the flood other than 200 and 429",
      timesNot(answers.export, 200, 429) + timesNot(answers.batch, 200, 429),
      0,
    ),
    atMost("answers to batches of 120 calls other than 400", timesNot(answers["large batch"], 400), 0),
  ],
};

async function measure(servers: Servers): Promise<Figures> {
  const { client, product } = servers;
  const greedy = await createAccount(servers, "greedy@example.com");
  await seedKeys(client, await findAccountId(client, greedy), [], KEYS);
  const owner = await createAccount(servers, "quiet@example.com");
  const spenders = makeKeyValues(SPENDERS);
  await seedKeys(client, await findAccountId(client, owner), spenders, SPENDERS);
  await settle(client);
  const calls = spenders.map(({ value }) => value);
  const endpoint = authorizeAndCaptureWith("authorize and capture", owner, calls);
  await load(product.url, endpoint, { seconds: WARM_UP_SECONDS });
  const quiet = await load(product.url, endpoint, { seconds: SECONDS });
  const flood = await startFlood(product.url, greedy);
  await load(product.url, endpoint, { seconds: WARM_UP_SECONDS });
  const during = await load(product.url, endpoint, { seconds: SECONDS });
  return { keys: KEYS, quiet, during, answers: await flood.end() };
}

async function startFlood(url: string, apikey: string): Promise<{ end(): Promise<Answers> }> {
  const child = fork(join(import.meta.dirname, "flood.js"), [url, apikey]);
  onClose(async () => child.kill("SIGKILL"));
  await once(child, "spawn");
  return {
    async end() {
      child.send("end");
      const [answers] = await once(child, "message");
      return answers as Answers;
    },
  };
}

function timesNot(statuses: Record<number, number>, ...allowed: number[]): number {
  return Object.entries(statuses)
    .filter(([status]) => !allowed.includes(Number(status)))
    .reduce((sum, [, times]) => sum + times, 0);
}

function cells({ perSecond, p50, p99, longest }: Measurement): string[] {
  return [count(perSecond), p50.toFixed(1), p99.toFixed(1), count(longest)];
}
