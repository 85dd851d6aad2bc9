import { format, stripVTControlCharacters } from "node:util";
import { type Logger, pino } from "pino";
import { prettyFactory } from "pino-pretty";
import type { Config } from "./config";
import { causeOf } from "./db/failure";

/** A write costs more than the making of a line, so lines are written together. In bytes. */
const WRITTEN_AT_ONCE = 4096;
/** How long a line waits for others at most. */
const LONGEST_WAIT_MS = 100;
/** So much waits to be written while the disk is full. What is printed after that is dropped. In bytes. */
const MOST_WAITING = 256 * 1024;

/** What writes to stdout for the log. */
type LogOutput = ReturnType<typeof pino.destination>;

/** Whether stderr says already that stdout cannot be written. */
let isFailureTold = false;

/**
 * Opens the log of the process on stdout. Lines are written together, at most 100 ms after they were made. All are written
 * before the process exits, also when an uncaught error ends it. See docs/decisions/logs-in-batches.md.
 * @param logFormat absent: `pretty` on a terminal, else `json`.
 */
export function openLog({ logLevel, logFormat }: Pick<Config, "logLevel" | "logFormat">): Logger {
  const isTerminal = process.stdout.isTTY === true;
  const isPretty = logFormatOf({ logFormat }) === "pretty";
  const output = openLogOutput(WRITTEN_AT_ONCE);
  const log = pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      hooks: { streamWrite: isPretty ? prettyPrinter(isTerminal) : escapeControls },
    },
    output,
  );
  countDropped(output, log);
  return log;
}

/**
 * Opens stdout for the log. When it cannot be written, for example because the disk is full, up to 256 kB wait to be written
 * later, and what is printed after that is dropped: the process serves on. stderr says so once.
 * @param minLength how many bytes are written together, at least 1. What is less than that waits for 100 ms at most.
 */
export function openLogOutput(minLength: number): LogOutput {
  const waiting = { maxLength: MOST_WAITING, periodicFlush: LONGEST_WAIT_MS };
  const output = pino.destination({ dest: 1, sync: true, minLength, ...waiting });
  output.on("error", ({ code }: NodeJS.ErrnoException) => {
    // pino drops everything once nobody reads a pipe. Nobody would read this either, where both lead to the same pipe.
    if (isFailureTold || code === "EPIPE") return;
    isFailureTold = true;
    process.stderr.write(
      `Allowance cannot write its log (${code}). It serves on, and lines that find no room are lost.\n`,
    );
  });
  // `flushSync` would try for ever when nobody reads the log any more, or it has no room.
  process.on("exit", () => output.end());
  return output;
}

/** Says in the log how many lines an output has dropped, as soon as all that waited is written. */
export function countDropped(output: LogOutput, log: Logger): void {
  let lines = 0;
  output.on("drop", (text: string) => {
    lines += text.split("\n").length - 1;
  });
  output.on("drain", () => {
    if (lines === 0) return;
    const lost = lines;
    lines = 0;
    log.warn({ lines: lost }, "the log could not be written; these lines are lost");
  });
}

/** How this process writes its log, and its workers theirs, which have no terminal. */
export function logFormatOf({ logFormat }: Pick<Config, "logFormat">): "pretty" | "json" {
  return logFormat ?? (process.stdout.isTTY ? "pretty" : "json");
}

/**
 * Makes a function that turns a line of JSON into text for people: the time, the level, the message, and below them what else
 * the line has. Nothing in it can move the cursor of a terminal or begin a line of its own, but the stack of an error.
 */
export function prettyPrinter(colorize: boolean): (line: string) => string {
  const print = prettyFactory({
    colorize,
    ignore: "pid,hostname",
    translateTime: "SYS:HH:MM:ss.l",
    singleLine: true,
    errorLikeObjectKeys: ["err"],
  });
  // It leaves a space where no fields follow.
  return (line) => (print(withoutControls(JSON.parse(line)) as object) ?? "").replace(/ +$/gm, "");
}

/** A value of a line of the log, with its control characters escaped, but for the line feeds of a stack. */
function withoutControls(value: unknown, name = ""): unknown {
  if (typeof value === "string") return value.replace(name === "stack" ? CONTROLS_IN_LINES : CONTROLS, escapeCharacter);
  if (Array.isArray(value)) return value.map((each) => withoutControls(each));
  if (!(value instanceof Object)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutControls(each, key)]));
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
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same without the line feed.
const CONTROLS_IN_LINES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

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
