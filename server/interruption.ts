/** What has to be done before the process may end by a signal, the newest last. */
const undoings = new Set<() => Promise<void>>();
/** The signals that end a process in order: of the keyboard, of a supervisor, and of a terminal that ends. */
export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const END_DEADLINE_MS = 10_000;
let isEnding = false;

/**
 * Does work. When SIGINT, SIGTERM or SIGHUP comes meanwhile, `undo` is done before the process ends by it, because no `finally` runs
 * then. The process ends after 10 s at the latest.
 */
export async function undoneIfInterrupted<T>(undo: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const release = undoIfInterrupted(undo);
  try {
    return await work();
  } finally {
    release();
  }
}

/** The same for work that begins now and ends when the function is called that this returns. */
export function undoIfInterrupted(undo: () => Promise<void>): () => void {
  if (isIdle()) for (const signal of SIGNALS) process.on(signal, end);
  undoings.add(undo);
  return () => {
    undoings.delete(undo);
    if (isIdle()) for (const signal of SIGNALS) process.off(signal, end);
  };
}

/** While the process ends, it goes on listening, also when the work has ended meanwhile: a second signal would kill it. */
function isIdle(): boolean {
  return undoings.size === 0 && !isEnding;
}

/** A second signal is ignored, because Ctrl-C arrives twice: from the terminal and from npm. */
async function end(signal: NodeJS.Signals): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await Promise.race([undoAll(), new Promise((resolve) => setTimeout(resolve, END_DEADLINE_MS))]);
  for (const each of SIGNALS) process.off(each, end);
  process.kill(process.pid, signal);
}

async function undoAll(): Promise<void> {
  for (const undo of [...undoings].reverse()) await undo().catch(() => {});
}

/**
 * Ends a process that has stopped in order, with 0. After the end of its terminal the signal ends it: Node.js would put the
 * terminal back as it was, and aborts where there is none.
 */
export function endStopped(signal: NodeJS.Signals): never {
  if (signal === "SIGHUP") {
    process.removeAllListeners(signal);
    // The last lines of the log are written before it.
    process.once("exit", () => process.kill(process.pid, signal));
  }
  process.exit(0);
}
