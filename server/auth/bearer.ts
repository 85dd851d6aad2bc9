const BEARER = /^bearer +(\S+) *$/i;

/** What an `Authorization: Bearer …` header presents; `undefined` where it is missing or has another form. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}
