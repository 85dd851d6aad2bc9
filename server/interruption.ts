/** What has to be done before the process may end by a signal, the newest last. */
const undoings = new Set<() => Promise<void>>();
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Does work. When SIGINT or SIGTERM comes meanwhile, `undo` is done before the process ends by it, because no `finally` runs
 * then. A second signal ends the process at once.
 */
export async function undoneIfInterrupted<T>(undo: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  if (undoings.size === 0) for (const signal of SIGNALS) process.once(signal, end);
  undoings.add(undo);
  try {
    return await work();
  } finally {
    undoings.delete(undo);
    if (undoings.size === 0) for (const signal of SIGNALS) process.off(signal, end);
  }
}

async function end(signal: NodeJS.Signals): Promise<void> {
  for (const each of SIGNALS) process.off(each, end);
  for (const undo of [...undoings].reverse()) await undo().catch(() => {});
  process.kill(process.pid, signal);
}
