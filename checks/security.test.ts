import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const text = readFileSync("SECURITY.md", "utf8");
/** Paths from the root, as `server/http.ts`. A path of a request begins with a slash. */
const paths = [...text.matchAll(/`([\w.()[\]-][\w./()[\]-]*\.(?:tsx?|mjs|json|prisma|md))`/g)].map(
  ([, path = ""]) => path,
);
/** A file of tests and the name of one of them, as it stands in the file: `path`: "name". */
const tests = [...text.matchAll(/`([^`\s]+\.(?:test|integration|spec)\.ts)`: "([^"]+)"/g)].map(
  ([, path = "", name = ""]) => ({ path, name }),
);
const threats = text.split(/^## /m).find((section) => section.startsWith("Threats and controls")) ?? "";
const rows = threats
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  )
  .filter((cells) => cells.length === 4 && cells[0] !== "threat");

describe("SECURITY.md", () => {
  test("names files that exist", () => {
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test("names tests that exist, by the words that stand in their files", () => {
    expect(tests.length).toBeGreaterThan(0);
    const missing = tests.filter(({ path, name }) => {
      const file = existsSync(path) ? readFileSync(path, "utf8") : "";
      return !file.includes(`"${name}"`) && !file.includes(`\`${name}\``);
    });
    expect(missing).toEqual([]);
  });

  test("names for each threat a control, a file and a test", () => {
    expect(rows.length).toBeGreaterThan(0);
    for (const [threat, control, file = "", attack = ""] of rows) {
      expect(control, threat).not.toBe("");
      expect(paths, threat).toContain(/`([^`]+)`/.exec(file)?.[1]);
      expect(
        tests.map(({ path }) => path),
        threat,
      ).toContain(/`([^`]+)`: "/.exec(attack)?.[1]);
    }
  });
});
