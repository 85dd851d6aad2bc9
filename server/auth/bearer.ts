import { hash } from "node:crypto";

const BEARER = /^bearer +(\S+) *$/i;

/** What an `Authorization: Bearer …` header presents; `undefined` where it is missing or has another form. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** SHA-256 of a credential in hexadecimal digits, which name it in memory. */
export function hashInHex(presented: string): string {
  return hash("sha256", presented, "hex");
}
