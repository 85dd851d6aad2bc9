import { hash } from "node:crypto";

/** A token has no comma: one stands behind the token where an empty header of the same name was sent too. */
const BEARER = /^bearer +([^\s,]+) *$/i;

/** What an `Authorization: Bearer …` header presents; `undefined` where it is missing or has another form. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** `Authorization` headers of one request stand behind each other, with commas between them. */
const SEVERAL = /^bearer .*,|, *bearer /i;

/** Whether a request has more than one `Authorization` header, one of them with a bearer token. */
export function isAmbiguous(authorization: string | undefined): boolean {
  return authorization !== undefined && SEVERAL.test(authorization);
}

/** SHA-256 of a credential in hexadecimal digits, which name it in memory. */
export function hashInHex(presented: string): string {
  return hash("sha256", presented, "hex");
}
