import { createHash, timingSafeEqual } from "node:crypto";
import type { AccountId } from "./account-id";

const BEARER = /^bearer +(\S+) *$/i;

/** Recognises the tokens that an operator gives to gateways which serve every account. */
export class GatewayTokens {
  readonly #hashes: Buffer[];

  constructor(tokens: readonly string[]) {
    this.#hashes = tokens.map(sha256);
  }

  /** Whether an `Authorization` header carries one of them; takes the same time for each wrong one. */
  recognize(authorization: string | undefined): boolean {
    const token = BEARER.exec(authorization ?? "")?.[1];
    if (token === undefined) return false;
    const given = sha256(token);
    return this.#hashes.map((hash) => timingSafeEqual(hash, given)).includes(true);
  }
}

/**
 * The account that a gateway acts for, as the value of a key or the id of an authorization names it: an operator's
 * token is good for every account, and nothing but spend.
 */
export function accountForGateway(accountId: string): AccountId {
  return accountId as AccountId;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
