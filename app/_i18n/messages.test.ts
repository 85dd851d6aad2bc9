import { readdirSync, readFileSync } from "node:fs";
import { createTranslator } from "use-intl/core";
import { expect, test } from "vitest";
import { LANGUAGES } from "./language";
import { MESSAGES } from "./messages";

const texts = Object.fromEntries(LANGUAGES.map((language) => [language, flatten(MESSAGES[language])]));
const english = texts.en ?? {};

test("every language has the same messages", () => {
  for (const language of LANGUAGES)
    expect(Object.keys(texts[language] ?? {}).sort()).toEqual(Object.keys(english).sort());
});

test("a message takes the same arguments and tags in every language", () => {
  for (const language of LANGUAGES) {
    for (const [key, text] of Object.entries(texts[language] ?? {})) {
      expect({ key, ...placesOf(text) }).toEqual({ key, ...placesOf(english[key] ?? "") });
    }
  }
});

test("every message can be formatted, and none is empty", () => {
  for (const language of LANGUAGES) {
    const translate = createTranslator({
      locale: language,
      messages: MESSAGES[language],
      onError: (error) => {
        throw error;
      },
    });
    const format: (key: string, values: object) => string = translate.markup as never;
    for (const [key, text] of Object.entries(texts[language] ?? {})) {
      const { names, tags } = placesOf(text);
      const values = {
        ...Object.fromEntries(names.map((name) => [name, 1])),
        ...Object.fromEntries(tags.map((tag) => [tag, (inner: string) => inner])),
      };
      expect(format(key, values)).not.toBe("");
    }
  }
});

test("no page has a Chinese word of its own", () => {
  const sources = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".tsx"))
      .map((path) => `${folder}/${path}`),
  );
  const offenders = sources.filter((path) => /\p{Script=Han}/u.test(readFileSync(path, "utf8")));
  // This page shows when the messages cannot be loaded either.
  expect(offenders).toEqual(["app/global-error.tsx"]);
});

function flatten(messages: object, prefix = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([key, value]) =>
      typeof value === "string" ? [[prefix + key, value]] : Object.entries(flatten(value, `${prefix}${key}.`)),
    ),
  );
}

/** Names of the ICU arguments with their kinds, and of the tags, in the message. */
function placesOf(text: string): { names: string[]; kinds: string[]; tags: string[] } {
  const found = [...text.matchAll(/\{\s*([a-zA-Z]\w*)\s*(?:,\s*(\w+))?\s*[,}]/g)];
  return {
    names: [...new Set(found.map(([, name = ""]) => name))].sort(),
    kinds: [...new Set(found.flatMap(([, name, kind]) => (kind ? [`${name}:${kind}`] : [])))].sort(),
    tags: [...new Set([...text.matchAll(/<(\w+)>/g)].map(([, tag = ""]) => tag))].sort(),
  };
}
