import { bound } from "../db/pipeline";
import { hashesOf } from "./hash-look-up";
import type { KeyReference } from "./key-owner";
import type { KnownSpender, SpendCredential } from "./known-spenders";
import { FIND_CALLERS } from "./statements/find-callers";
import { FIND_GATEWAYS } from "./statements/find-gateways";
import { STOP_FOR_INVALID_CALLERS, STOP_FOR_INVALID_TOKENS } from "./statements/stop-for-invalid";
import { callersOf } from "./valid-keys";

/** A call, or a check, that is decided on only where the credential of its sender is valid then. */
export interface SentBy {
  /** Undefined: its sender was recognised before. */
  sender?: KnownSpender | undefined;
}

type OfKey = SpendCredential & { key: KeyReference };

/** The credentials by which the calls of one batch are sent, and the statements that ask whether they are valid. */
export class SpendCredentials {
  readonly #keys: OfKey[] = [];
  readonly #tokens: SpendCredential[] = [];

  constructor(calls: readonly SentBy[]) {
    const credentials = new Set<SpendCredential>();
    for (const { sender } of calls) if (sender) credentials.add(sender.credential);
    for (const credential of credentials) {
      if (isOfKey(credential)) this.#keys.push(credential);
      else this.#tokens.push(credential);
    }
  }

  /** Statements with a row where a credential is not valid: the transaction writes nothing then. */
  stopping() {
    return [
      this.#keys.length > 0 ? bound(STOP_FOR_INVALID_CALLERS, callersOf(this.#keys)) : undefined,
      this.#tokens.length > 0 ? bound(STOP_FOR_INVALID_TOKENS, [hashesOf(this.#tokens)]) : undefined,
    ] as const;
  }

  /** Statements that find those that are valid. */
  finding() {
    return [
      this.#keys.length > 0 ? bound(FIND_CALLERS, callersOf(this.#keys)) : undefined,
      this.#tokens.length > 0 ? bound(FIND_GATEWAYS, [hashesOf(this.#tokens)]) : undefined,
    ] as const;
  }

  /** Tells by the rows of `finding` which calls may be decided. */
  judge(
    callers: readonly { place: number; is_default: boolean }[],
    gateways: readonly { place: number }[],
  ): (call: SentBy) => boolean {
    const valid = new Set<SpendCredential | undefined>([
      ...callers.filter(({ is_default }) => is_default).map(({ place }) => this.#keys[place - 1]),
      ...gateways.map(({ place }) => this.#tokens[place - 1]),
    ]);
    return ({ sender }) => sender === undefined || valid.has(sender.credential);
  }
}

function isOfKey(credential: SpendCredential): credential is OfKey {
  return credential.key !== undefined;
}
