import { setTimeout as delay } from "node:timers/promises";

/** How many answers had each status, by what was asked. */
export type Answers = Record<"export" | "batch" | "large batch", Record<number, number>>;

/** Sent at the same time, without an end. */
const EXPORTS = 60;
const BATCHES = 8;
const CALLS = { batch: 10, "large batch": 120 };
/** A client that is refused at once does not ask again at once. */
const PAUSE_MS = 100;

/**
 * A process of its own, which asks for much with the default key of one account until its parent sends a message. Then it
 * tells how it was answered, and ends. `flood.js URL KEY`
 */
const [url = "", apikey = ""] = process.argv.slice(2);
const headers = { authorization: `Bearer ${apikey}` };
const answers: Answers = { export: {}, batch: {}, "large batch": {} };
let hasEnded = false;

const loops = [
  ...Array.from({ length: EXPORTS }, () => repeat(exportKeys)),
  ...Array.from({ length: BATCHES }, () => repeat(() => callInBatch("batch"))),
  repeat(() => callInBatch("large batch").then(() => delay(PAUSE_MS))),
];
process.once("message", async () => {
  hasEnded = true;
  await Promise.all(loops);
  process.send?.(answers, () => process.exit(0));
});

async function repeat(work: () => Promise<void>): Promise<void> {
  while (!hasEnded) await work();
}

async function exportKeys(): Promise<void> {
  const response = await fetch(`${url}/keys/export`, { headers });
  for await (const _ of response.body ?? []);
  note("export", response.status);
}

/** Lists keys several times in one request. The answer has a status for each call, or one for all. */
async function callInBatch(what: "batch" | "large batch"): Promise<void> {
  const calls = CALLS[what];
  const input = Object.fromEntries(Array.from({ length: calls }, (_, i) => [i, { page_size: 50 }]));
  const path = Array.from({ length: calls }, () => "keys.list").join(",");
  const response = await fetch(`${url}/api/trpc/${path}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`, {
    headers,
  });
  const body = await response.json();
  if (!Array.isArray(body)) return note(what, response.status);
  for (const { error } of body) note(what, error?.data.httpStatus ?? 200);
}

function note(what: keyof Answers, status: number): void {
  answers[what][status] = (answers[what][status] ?? 0) + 1;
}
