/** The path to open after signing in. It is always a path of this site, even if the address names another site. */
export function nextPath(asked: string | string[] | undefined): string {
  const home = "/overview";
  const base = "http://here.invalid";
  if (typeof asked !== "string" || !asked.startsWith("/") || !URL.canParse(asked, base)) return home;
  const { origin, pathname, search, hash } = new URL(asked, base);
  // "//host" and "/\host" lead to another site. So does a path that begins like that after it is resolved.
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : home;
}
