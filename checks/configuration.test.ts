import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ENVIRONMENT } from "@/server/config";

/** Each variable with its default as text; empty where it has none. */
const variables = Object.entries(ENVIRONMENT.shape).map(([name, schema]) => {
  const { data } = schema.safeParse(undefined);
  return [name, String(data ?? "")] as const;
});

describe(".env.example", () => {
  const paragraphs = readFileSync(".env.example", "utf8").trim().split("\n\n").slice(1);
  const entries = paragraphs.map((paragraph) => {
    const lines = paragraph.split("\n");
    const [, name = "", value = ""] = /^#([A-Z_]+)=(.*)$/.exec(lines.at(-1) ?? "") ?? [];
    return { name, value, meaning: lines.slice(0, -1) };
  });

  test("has every variable of server/config.ts with its default, and no other", () => {
    expect(Object.fromEntries(entries.map(({ name, value }) => [name, value]))).toEqual(Object.fromEntries(variables));
    expect(entries).toHaveLength(variables.length);
  });

  test("says what each one means", () => {
    for (const { meaning } of entries) expect(meaning.join("\n")).toMatch(/^# \S/);
  });
});

test("the README's table has every variable of server/config.ts with its default, and no other", () => {
  const rows = [...readFileSync("README.md", "utf8").matchAll(/^\| (`[A-Z_]+`[^|]*)\|([^|]*)\|/gm)].flatMap(
    ([, names = "", value = ""]) => [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => ({ name, value })),
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(variables.map(([name]) => name).sort());
  for (const [name, value] of variables) {
    if (value !== "") expect(rows.find((row) => row.name === name)?.value.trim(), name).toBe(`\`${value}\``);
  }
});
