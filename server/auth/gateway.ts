import { hash, timingSafeEqual } from "node:crypto";
import type { AccountId } from "./account-id";

const BEARER = /^bearer +(\S+) *$/i;

/** Recognises the tokens of gateways that serve every account. The operator configures them in `GATEWAY_TOKENS`. */
export class GatewayTokens {
  readonly #hashes: Buffer[];

  constructor(tokens: readonly string[]) {
    this.#hashes = tokens.map(sha256);
  }

  /** Whether an `Authorization` header has one of the tokens. Every wrong token takes the same time. */
  recognize(authorization: string | undefined): boolean {
    const token = BEARER.exec(authorization ?? "")?.[1];
    if (token === undefined) return false;
    const given = sha256(token);
    return this.#hashes.map((hash) => timingSafeEqual(hash, given)).includes(true);
  }
}

/**
 * The account that a gateway acts for, which the value of a key or the id of an authorization names. Call this only after
 * a token of the operator has been recognised, because such a token may act for every account.
 */
export function accountForGateway(accountId: string): AccountId {
  return accountId as AccountId;
}

function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
