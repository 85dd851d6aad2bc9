import { expect, test } from "vitest";
import { statements } from "@/server/statements";
import { readSources } from "./sources";

const sources = readSources(["server"], /(?<!\.(test|integration))\.ts$/);

test("each prepared statement is listed in server/statements.ts, once", () => {
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(/\bstatement(?:<[^()]*>)?\(\s*"([^"]+)"/g)].map(([, name]) => name),
  );
  expect(statements.map(({ name }) => name).sort()).toEqual(declared.sort());
  expect(new Set(declared).size).toBe(declared.length);
});

test("each file of a folder statements/ declares one", () => {
  const files = sources.filter(({ path }) => /\/statements\/[^/]+\.ts$/.test(path));
  expect(files.filter(({ text }) => !/\bstatement(<[^()]*>)?\(/.test(text)).map(({ path }) => path)).toEqual([]);
});

test("only server/db/statement.ts gives a statement its name when it runs", () => {
  const callers = sources.filter(({ text }) => /\bquery(<[^()]*>)?\(\s*\{\s*name\b/.test(text));
  expect(callers.map(({ path }) => path)).toEqual(["server/db/statement.ts"]);
});
