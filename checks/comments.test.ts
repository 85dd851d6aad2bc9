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
  const missing = readSources(folders, /\.(tsx?|mjs|sql|prisma|conf)$/).flatMap(({ path, text }) =>
    (text.match(COMMENT) ?? [])
      .flatMap((comment) => comment.match(FILE) ?? [])
      .filter((name) => !files.some((file) => file.endsWith(`/${name.replace(/^(\.\.?\/)+/, "")}`)))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});
