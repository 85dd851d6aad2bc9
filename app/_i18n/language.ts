import type { Account } from "@/server/accounts/schema";

export const LANGUAGES = ["en", "zh-CN"] as const satisfies NonNullable<Account["language"]>[];

/** A language that the pages are written in. */
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", "zh-CN": "简体中文" };

export const LANGUAGE_COOKIE = "language";

/** What a request says about the language of its sender. */
export interface LanguageWishes {
  /** The choice of the account; `null` follows the browser. */
  account?: string | null | undefined;
  /** The choice in this browser. */
  cookie?: string | undefined;
  /** The `Accept-Language` header. */
  accepted?: string | null | undefined;
}

/** Chooses the language of a page: the account's choice, else the cookie, else the first accepted language, else English. */
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
