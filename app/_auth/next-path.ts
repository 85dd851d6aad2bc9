/** Where to go after signing in: a path of this site, whatever the address says. */
export function nextPath(asked: string | string[] | undefined): string {
  const home = "/keys";
  const base = "http://here.invalid";
  if (typeof asked !== "string" || !asked.startsWith("/") || !URL.canParse(asked, base)) return home;
  const { origin, pathname, search, hash } = new URL(asked, base);
  // "//host" and "/\host" would lead away; so would a path that begins like that once it is resolved.
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : home;
}
