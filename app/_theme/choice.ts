import { THEME_COOKIE, type Theme, themeAttribute } from "./theme";

const YEAR_S = 365 * 24 * 3600;

/** Keeps a choice in a cookie for a year. The server reads it with the next page. */
export function keepChoice(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where there is no https
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
}

/** Forgets a choice of this browser. */
export function forgetChoice(name: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where there is no https
  document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
}

/** Keeps the chosen theme, and applies it to this page at once. */
export function chooseTheme(theme: Theme): void {
  keepChoice(THEME_COOKIE, theme);
  const attribute = themeAttribute(theme);
  if (attribute) document.documentElement.dataset.theme = attribute;
  else delete document.documentElement.dataset.theme;
}
