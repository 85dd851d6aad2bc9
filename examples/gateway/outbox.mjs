// A journal on disk of what Allowance must still be told. It survives the end of the gateway at any moment.
import { open, rename } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const [MAX_BYTES, FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [16 * 1024 * 1024, 200, 60_000];

// Opens the journal, and delivers what the gateway before could not. One process uses a journal at a time. `deliver` takes
// an entry, which says how to settle the authorization `id`, and resolves to whether that is done for good.
export async function openOutbox(path, deliver) {
  /** The latest entry of each authorization that is not settled. */
  const pending = new Map();
  const note = (entry) => (entry.isSettled ? pending.delete(entry.id) : pending.set(entry.id, entry));
  const linesOf = (entries) => [...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
  let [file, room, waiting, next] = [await open(path, "a+", 0o600), 0, [], undefined];
  // A line that the end of a process cut off has no line break.
  for (const line of (await file.readFile("utf8")).split("\n").slice(0, -1)) note(JSON.parse(line));
  /** Writes what waits, or all that is pending to a new journal where the old one has grown or could not be written. */
  async function flush() {
    const lines = linesOf(waiting.splice(0));
    const isNew = room <= lines.length;
    const [text, left] = isNew ? [linesOf(pending.values()), MAX_BYTES] : [lines, room - lines.length];
    [next, room] = [undefined, 0];
    const target = isNew ? await open(`${path}.new`, "w", 0o600) : file;
    await target.appendFile(text);
    await target.datasync();
    if (isNew) await rename(`${path}.new`, path).then(() => file.close());
    [file, room] = [target, left];
  }
  /** Resolves when the entry is on the disk. All that wait meanwhile are written at once. */
  function append(entry) {
    note(entry);
    waiting.push(entry);
    next ??= last = last.catch(() => {}).then(flush);
    return next;
  }
  /** Settles an authorization, however long Allowance is away, and also where the journal cannot be written. */
  async function settle(entry) {
    await append(entry).catch(console.error);
    // Nothing keeps the process alive for a pause: the next one reads the journal.
    for (let pause = FIRST_PAUSE_MS; !(await deliver(entry)); pause = Math.min(pause * 3, LONGEST_PAUSE_MS))
      await delay(pause * (0.5 + Math.random()), undefined, { ref: false });
    await append({ id: entry.id, isSettled: true }).catch(console.error);
  }

  let last = flush();
  await last;
  for (const entry of pending.values()) settle(entry);
  return { append, settle };
}
