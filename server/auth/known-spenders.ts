import { measureRemembered } from "../metrics/remembered";
import { RecentMap } from "../recent-map";
import { hashInHex } from "./bearer";
import type { KeyReference } from "./key-owner";
import type { Spender } from "./spender";

/** A credential that may authorize spend: an account's default key, or a gateway's token that is in the database. */
export interface SpendCredential {
  /** SHA-256 of the key value or the token. */
  hash: Buffer;
  /** Who may spend by it. The product never changes this; the credential may end. */
  spender: Spender;
  /** The default key and its account; undefined for a token. */
  key: KeyReference | undefined;
}

/** A credential is not valid any more. Nothing was decided for who has sent it. */
export class SpenderRefused extends Error {}

/** What is done when the database has been asked whether the credential of a request is valid. */
interface Listener {
  onValid(): void;
  onInvalid(): void;
}

/** The sender of one request, by a credential that this process found valid a moment before. */
export class KnownSpender {
  #isProven = false;

  constructor(
    readonly credential: SpendCredential,
    private readonly listener: Listener,
  ) {}

  /** Whether the database has found the credential valid since the request came. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Notes that the database has found the credential valid. */
  prove(): void {
    this.#isProven = true;
    this.listener.onValid();
  }

  /** Notes that the credential is not valid any more. */
  refuse(): void {
    this.listener.onInvalid();
  }
}

/** In the memory of the process: docs/operations.md#memory. */
const MOST_REMEMBERED = 1_000;
/** After this time a credential is looked up by itself again, which also writes once a minute that a token is used. */
const KNOWN_FOR_MS = 1_000;

/**
 * The credentials that this process found valid in the last second. Whoever presents one need not be looked up before a decision
 * on spend: the statements that decide ask whether it is still valid. So none is accepted for longer than in the database. See
 * docs/decisions/known-spenders.md. There is one for a process.
 */
export class KnownSpenders {
  readonly #known = new RecentMap<string, SpendCredential & { until: number }>(MOST_REMEMBERED);

  constructor() {
    measureRemembered("known_spenders", this.#known);
  }

  /** Notes a credential that the database has just found valid. */
  note(credential: SpendCredential): void {
    this.#known.set(nameOf(credential), { until: performance.now() + KNOWN_FOR_MS, ...credential });
  }

  /** Forgets a credential that was not valid any more: its next request is refused before any decision, and holds up no batch. */
  forget(credential: SpendCredential): void {
    this.#known.delete(nameOf(credential));
  }

  /** @param presented the whole key value or token. */
  find(presented: string): SpendCredential | undefined {
    // Where gateways have only tokens of `GATEWAY_TOKENS`, nothing is hashed for this.
    if (this.#known.weight === 0) return undefined;
    const known = this.#known.get(hashInHex(presented));
    return known && performance.now() < known.until ? known : undefined;
  }
}

function nameOf(credential: SpendCredential): string {
  return credential.hash.toString("hex");
}
