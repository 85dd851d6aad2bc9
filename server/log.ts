import { format, stripVTControlCharacters } from "node:util";
import { type Logger, pino } from "pino";
import { causeOf } from "./db/failure";

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
  return pino({ level, serializers: { err: describeError }, hooks: { streamWrite: escapeControls } }, output);
}

/**
 * Sends what Next.js and other packages print, and warnings of Node.js, to the log: one line of JSON each, whatever stands
 * in it. Only the lines of the start are printed otherwise.
 */
export function logConsole(log: Logger): void {
  const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error", trace: "debug" } as const;
  for (const [method, level] of Object.entries(levels) as [
    keyof typeof levels,
    (typeof levels)[keyof typeof levels],
  ][]) {
    console[method] = (...printed: unknown[]) => {
      const error = printed.find((each) => each instanceof Error);
      const text = stripVTControlCharacters(format(...printed.filter((each) => each !== error))).trim();
      log[level]({ ...(error && { err: error }) }, text || error?.message || "an empty line");
    };
  }
  // The listener that Node.js has prints.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "a warning of Node.js"));
}

const MOST_CAUSES = 8;

/**
 * An error for the log, with its causes. It leaves out what errors of PostgreSQL and Prisma say of rows and parameters,
 * because a secret may stand there.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Object)) return { type: typeof error };
  const { message, stack } = error as Partial<Error>;
  const cause = depth < MOST_CAUSES ? causeOf(error) : undefined;
  return {
    type: error.constructor?.name,
    ...("code" in error && { code: error.code }),
    ...("constraint" in error && { constraint: error.constraint }),
    message,
    stack,
    ...(cause !== undefined && { cause: describeError(cause, depth + 1) }),
  };
}

/** JSON escapes line feeds. Some programs end a line at these characters too. */
function escapeControls(line: string): string {
  return line.replace(/[\u007f-\u009f\u2028\u2029]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
