import { expect, test } from "vitest";
import { statements } from "@/server/statements";
import { readSources } from "./sources";

const sources = readSources(["server"], /(?<!\.(test|integration))\.ts$/);

/** Each declaration: `statement<Row>("name", …)`. */
const declared = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/\bstatement(?:<[^()]*>)?\(\s*"([^"]+)"/g)].map(([, name]) => ({ path, name })),
);

test("each prepared statement is listed in server/statements.ts, once", () => {
  expect(statements.map(({ name }) => name).sort()).toEqual(declared.map(({ name }) => name).sort());
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
});

test("each prepared statement is declared in a folder statements/", () => {
  expect(declared.filter(({ path }) => !/^server\/\w+\/statements\/[^/]+\.ts$/.test(path))).toEqual([]);
});

test("only server/db/statement.ts gives a statement its name when it runs", () => {
  const callers = sources.filter(({ text }) => /\bquery(<[^()]*>)?\(\s*\{\s*name\b/.test(text));
  expect(callers.map(({ path }) => path)).toEqual(["server/db/statement.ts"]);
});
