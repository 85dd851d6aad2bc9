import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readSources } from "./sources";

const folders = ["app", "bench", "checks", "clients", "components", "docs", "e2e", "examples", "prisma", "server"];
const files = [...readdirSync("."), ...readSources(folders, /\.\w+$/).map(({ path }) => path)].map(
  (path) => `/${path}`,
);

const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|^\s*(?:--|#) .*/gm;
const FILE = /(?<![\w/.-])(?:(?:\([\w-]+\)|[\w.-]+)\/)*[\w-][\w.-]*\.(?:tsx?|[cm]js|prisma|json|sql|grit|md)\b/g;

test("each file that a comment names exists", () => {
  // What is generated repeats descriptions of the API.
  const written = readSources(folders, /\.(tsx?|mjs|sql|prisma|conf)$/).filter(
    ({ path }) => path !== "clients/typescript/schema.ts",
  );
  const missing = written.flatMap(({ path, text }) =>
    (text.match(COMMENT) ?? [])
      .flatMap((comment) => comment.match(FILE) ?? [])
      .filter((name) => !files.some((file) => file.endsWith(`/${name.replace(/^(\.\.?\/)+/, "")}`)))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});
