import { readdirSync, readFileSync } from "node:fs";
import formatCompiled from "icu-minify/format";
import { _createCache, _createIntlFormatters, createTranslator } from "use-intl/core";
import { expect, test } from "vitest";
import compileMessages from "./compile-messages.mjs";
import { LANGUAGES } from "./language";
import { MESSAGES } from "./messages";

const texts = Object.fromEntries(LANGUAGES.map((language) => [language, flatten(MESSAGES[language])]));
const english = texts.en ?? {};
const formatters = _createIntlFormatters(_createCache());

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

test("every message can be formatted, none is empty, and compiled by the build it reads the same", async () => {
  for (const language of LANGUAGES) {
    const translate = createTranslator({
      locale: language,
      messages: MESSAGES[language],
      onError: (error) => {
        throw error;
      },
    });
    const format: (key: string, values: object) => string = translate.markup as never;
    const compiled = flatten(await built(MESSAGES[language]));
    for (const [key, text] of Object.entries(texts[language] ?? {})) {
      const { names, kinds, tags } = placesOf(text);
      for (const [i, option] of ["other", "other", "other", "other", ...optionsOf(text)].entries()) {
        const values = {
          ...Object.fromEntries(
            names.map((name) => [name, kinds.includes(`${name}:select`) ? option : NUMBERS[i % 4]]),
          ),
          ...Object.fromEntries(tags.map((tag) => [tag, (inner: string | string[]) => `<${[inner].flat().join("")}>`])),
        };
        const read = format(key, values);
        expect(read).not.toBe("");
        expect(formatCompiled(compiled[key] as never, language, values as never, { formatters })).toBe(read);
      }
    }
  }
});

test.each([
  ["tokens of a price", /百万 token(?!s)/, "百万 tokens"],
  ["no group", /无分组/, "未分组"],
  ["the reference of the API", /API 参考/, "API 文档"],
  ["what is stored of a key", /指纹/, "哈希值"],
  ["the second factor", /第二验证方式/, "两步验证"],
  ["the reset of a limit", /计费/, "重置"],
  ["calls that were refused", /的拒绝/, "被拒绝的调用"],
  ["the zone of times", /所属时区/, "为准"],
  ["a change", /变更/, "更改"],
  ["to change the password", /更改密码/, "修改密码"],
  ["the history", /历史(?!记录)/, "历史记录"],
  ["the provider of the single sign-on", /(?<!身份)提供方/, "身份提供方"],
])("%s has one name in Chinese", (_, other, name) => {
  const chinese = Object.entries(texts["zh-CN"] ?? {});
  expect(chinese.filter(([, text]) => other.test(text))).toEqual([]);
  expect(chinese.some(([, text]) => text.includes(name))).toBe(true);
});

test("no text begins with a wide bracket, which adds its own gap to the one before it", () => {
  const chinese = Object.entries(texts["zh-CN"] ?? {});
  expect(chinese.filter(([, text]) => /^(?:\{count, plural, other \{)?（/.test(text))).toEqual([]);
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

test("no page joins words with an English colon of its own", () => {
  const sources = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
      .map((path) => `${folder}/${path}`),
  );
  expect(sources.filter((path) => /\)\}: /.test(readFileSync(path, "utf8")))).toEqual([]);
});

/** The messages as the build makes them from a file of these. */
async function built(messages: object): Promise<object> {
  const source = Buffer.from(compileMessages(JSON.stringify(messages)));
  const { default: compiled } = await import(`data:text/javascript;base64,${source.toString("base64")}`);
  return compiled;
}

/** Each message by its path. A message is a text, or a list when it is compiled. */
function flatten(messages: object, prefix = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" || Array.isArray(value)
        ? [[prefix + key, value as string]]
        : Object.entries(flatten(value, `${prefix}${key}.`)),
    ),
  );
}

const NUMBERS = [0, 1, 2, 1234.5];

/** The options of ICU arguments. */
function optionsOf(text: string): string[] {
  return [...text.matchAll(/(\w+) \{/g)].map(([, option = ""]) => option);
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
