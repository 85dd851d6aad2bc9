import type { KeyFilterInput } from "@/server/keys/schema";

/** The keys that something is done to together. */
export type KeysTarget =
  /** At most 1000: the server accepts no more at once. */
  | { kind: "keys"; apikeyIds: string[] }
  /** All keys that match: so many when the list was read. */
  | { kind: "filter"; filter: KeyFilterInput; count: number };

/** The keys whose limits are set together. */
export type BatchTarget = { kind: "group"; id: string; name: string } | KeysTarget;

/** The keys as parameters of the API. */
export function parametersOf(target: KeysTarget): { apikey_ids: string[] } | { filter: KeyFilterInput } {
  return target.kind === "keys" ? { apikey_ids: target.apikeyIds } : { filter: target.filter };
}

/** How many keys these are. */
export function countOf(target: KeysTarget): number {
  return target.kind === "keys" ? target.apikeyIds.length : target.count;
}
