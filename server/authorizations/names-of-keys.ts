import type { KeyReference } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";

/** The accounts and the ids of keys: the first two parameters of every statement that looks keys up. */
export function namesOf(asked: readonly { key: KeyReference }[]): string[] {
  return [arrayParameter(asked.map(({ key }) => key.accountId)), arrayParameter(asked.map(({ key }) => key.keyId))];
}
