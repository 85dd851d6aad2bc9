const YEAR_S = 365 * 24 * 3600;

/** Keeps a choice in this browser for a year. The server reads it with the next page. */
export function keepChoice(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where there is no https
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
}
