import { hash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { DatabaseNotReady } from "../db/failure";
import { runOnPool } from "../db/pipeline";
import { run } from "../db/statement";
import { bearerOf, hashInHex } from "./bearer";
import { HashLookUp, hashesOf } from "./hash-look-up";
import type { KnownSpenders } from "./known-spenders";
import type { Gateway } from "./spender";
import { FIND_GATEWAYS, type GatewayRow, NOTE_GATEWAY_USE } from "./statements/find-gateways";

/** The gateway of the tokens in `GATEWAY_TOKENS`. No token that is made by a command has such a name. */
const CONFIGURED: Gateway = { name: "GATEWAY_TOKENS", accountIds: undefined };

/** No value of a key has this form, whatever `KEY_PREFIX` is: it has another length. */
const TOKEN_PATTERN = /^gw-[\w-]{43}$/;
const RANDOM_BYTES = 32;

/** Makes a token of a gateway: `gw-` and 256 random bits in base64url. */
export function makeGatewayToken(): string {
  return `gw-${randomBytes(RANDOM_BYTES).toString("base64url")}`;
}

/** SHA-256 of a token, the only form in which it is stored. */
export function hashGatewayToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Recognises gateways by their tokens. There is one for a process. See docs/api.md#gateway-tokens. */
export class Gateways {
  /** The hashes of the tokens in `GATEWAY_TOKENS`. */
  readonly #configured: ReadonlySet<string>;
  readonly #lookUp: HashLookUp<{ hash: Buffer }, GatewayRow>;
  /** The tokens whose use is being written. */
  readonly #noting = new Set<string>();

  /**
   * @param configured the tokens of `GATEWAY_TOKENS`.
   * @param isMigrated whether the migrations have been applied.
   * @param knownSpenders gets to know the tokens in the database that are found valid.
   */
  constructor(
    configured: readonly string[],
    private readonly pool: Pool,
    private readonly isMigrated: () => boolean,
    private readonly knownSpenders: KnownSpenders,
  ) {
    this.#configured = new Set(configured.map(hashInHex));
    this.#lookUp = new HashLookUp("gateways", async (asked) =>
      (await runOnPool(pool, FIND_GATEWAYS, [hashesOf(asked)])).map((row) => ({
        place: row.place,
        found: row,
      })),
    );
  }

  /**
   * The gateway whose token an `Authorization` header has. The database is asked only for a token of the form that
   * `gateway:create` makes: a request with a key, or with a configured token, has its answer at once. No answer is remembered
   * here, so that a token that is revoked or has expired is refused at once by every process.
   */
  find(authorization: string | undefined): Gateway | undefined | Promise<Gateway | undefined> {
    const token = bearerOf(authorization);
    if (token === undefined) return undefined;
    if (this.#isConfigured(token)) return CONFIGURED;
    return TOKEN_PATTERN.test(token) ? this.#lookUpToken(token) : undefined;
  }

  async #lookUpToken(token: string): Promise<Gateway | undefined> {
    if (!this.isMigrated()) throw new DatabaseNotReady();
    const tokenHash = hashGatewayToken(token);
    const found = await this.#lookUp.find({ hash: tokenHash });
    if (found === undefined) return undefined;
    if (found.must_note_use) void this.#noteUse(tokenHash);
    const gateway = { name: found.name, accountIds: found.account_ids ? new Set(found.account_ids) : undefined };
    this.knownSpenders.note({ hash: tokenHash, spender: gateway, key: undefined });
    return gateway;
  }

  /** How long it takes depends on the hash alone, and nobody finds a token by a part of its hash. */
  #isConfigured(token: string): boolean {
    return this.#configured.size > 0 && this.#configured.has(hashInHex(token));
  }

  /** No request waits for this. When it fails, the next use writes it. */
  async #noteUse(tokenHash: Buffer): Promise<void> {
    const name = tokenHash.toString("latin1");
    if (this.#noting.has(name)) return;
    this.#noting.add(name);
    await run(this.pool, NOTE_GATEWAY_USE, [tokenHash]).catch(() => {});
    this.#noting.delete(name);
  }
}
