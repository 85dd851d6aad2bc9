import type { Account } from "@/server/accounts/schema";

export const LANGUAGES = ["en", "zh-CN"] as const satisfies NonNullable<Account["language"]>[];

/** A language that the pages are written in. */
export type Language = (typeof LANGUAGES)[number];

/** Each language in its own words, which is how whoever reads only that one finds it. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", "zh-CN": "简体中文" };

export const LANGUAGE_COOKIE = "language";

/** What a request says of the language that its sender reads. */
export interface LanguageWishes {
  /** Chosen by the account; null follows the browser. */
  account?: string | null | undefined;
  /** Chosen in this browser. */
  cookie?: string | undefined;
  /** The `Accept-Language` header. */
  accepted?: string | null | undefined;
}

/** The language of a page: the account's choice, else the browser's cookie, else the first acceptable one, else English. */
export function chooseLanguage({ account, cookie, accepted }: LanguageWishes): Language {
  return find(account) ?? find(cookie) ?? firstAccepted(accepted ?? "") ?? "en";
}

function firstAccepted(header: string): Language | undefined {
  const ranges = header.split(",").map((part) => {
    const [tag = "", ...parameters] = part.trim().split(";");
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
    return { tag: tag.toLowerCase(), weight: weight === undefined ? 1 : Number(weight) };
  });
  return ranges
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => (/^zh\b/.test(tag) ? "zh-CN" : /^en\b/.test(tag) ? "en" : undefined))
    .find((language) => language !== undefined);
}

function find(name: string | null | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}
