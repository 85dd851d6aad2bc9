import { type Logger, pino } from "pino";

/** A write costs more than the making of a line, so lines are written together. In bytes. */
const WRITTEN_AT_ONCE = 4096;
/** How long a line waits for others at most. */
const LONGEST_WAIT_MS = 100;

/**
 * Opens the log of the process on stdout. Lines are written together, at most 100 ms after they were made. All are written
 * before the process exits, also when an uncaught error ends it. See docs/decisions/logs-in-batches.md.
 */
export function openLog(level: string): Logger {
  const output = pino.destination({
    dest: 1,
    sync: true,
    minLength: WRITTEN_AT_ONCE,
    periodicFlush: LONGEST_WAIT_MS,
  });
  process.on("exit", () => {
    try {
      output.flushSync();
    } catch {
      // Nobody reads the log any more.
    }
  });
  return pino({ level }, output);
}
