import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSources, type Source } from "./sources";

const documents: Source[] = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map((path) => ({
    path,
    text: readFileSync(path, "utf8"),
  })),
  ...readSources(["clients", "docs", "examples", "bench"], /\.md$/),
];
const code = readSources(
  ["app", "bench", "checks", "clients", "components", "e2e", "examples", "prisma", "server"],
  /\.(tsx?|mjs|sql|prisma)$/,
);

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Whether a file exists, and has the heading where the link names one. */
function resolves(from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const path = file === "" ? from : join(dirname(from), decodeURI(file));
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsOf(readFileSync(path, "utf8")).has(anchor);
}

const FILE = /`((?:[\w.()[\]-]+\/)*[\w.-]+\.(?:tsx?|mjs|cjs|prisma))`/g;
const files = readSources(
  ["app", "bench", "checks", "clients", "components", "e2e", "examples", "prisma", "server"],
  /\.(tsx?|mjs|cjs|prisma)$/,
).map(({ path }) => `/${path}`);

/** A name that no file may have, and a file of the built folder. */
const OTHER_FILES = new Set(["index.ts", "allowance.mjs"]);

/** Whether there is such a file: of this path from the root, or of a path that ends so. */
function isFile(name: string): boolean {
  return existsSync(name) || files.some((path) => path.endsWith(`/${name}`));
}

// The changelog tells of files that are gone.
test.each(documents.filter(({ path }) => path !== "CHANGELOG.md"))("each file that $path names exists", ({ text }) => {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const named = [...prose.matchAll(FILE)].map(([, name = ""]) => name);
  expect(named.filter((name) => !OTHER_FILES.has(name) && !isFile(name))).toEqual([]);
});

describe("links resolve", () => {
  test.each(documents)("of $path", ({ path, text }) => {
    const prose = text.replace(/^```[\s\S]*?^```/gm, "");
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => !/^[a-z]+:/.test(link) && !resolves(path, link));
    expect(broken).toEqual([]);
  });

  test("from code to documents", () => {
    const broken = code.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
        .filter(([link]) => !resolves("README.md", link))
        .map(([link]) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});
