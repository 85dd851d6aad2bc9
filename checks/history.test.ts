import { expect, test } from "vitest";
import { readSources } from "./sources";

const WRITES = [
  /\b(INSERT INTO|UPDATE|DELETE FROM)\s+"?event(_key|_key_chunk)?"?\s/,
  /\.(event|eventKey|eventKeyChunk)\.(create|update|upsert|delete)/,
  /\binsertRows\([^)]*"event(_key|_key_chunk)?"/,
];

test("only server/history/recording.ts writes events", () => {
  const writers = readSources(["server"], /(?<!\.(test|integration))\.ts$/).filter(({ text }) =>
    WRITES.some((pattern) => pattern.test(text)),
  );
  expect(writers.map(({ path }) => path)).toEqual(["server/history/recording.ts"]);
});
