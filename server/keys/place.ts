/** The place of a key in an order: where a walk through all keys goes on. */
export interface KeyPlace {
  /**
   * The value that the keys are ordered by: a name, or a number as text; `null` is unset. It is not needed for the time of
   * creation, which never changes.
   */
  value: string | null;
  apikeyId: string;
}

const NUMBER = /^-?\d{1,40}(\.\d{1,40})?(e[+-]\d{1,2})?$/;

/** A place as a text: the value, `~`, the id. By time of creation it is the id alone. @param sort one of KEY_SORTS. */
export function writePlace(sort: string, { value, apikeyId }: KeyPlace): string {
  return sort === "created_at" ? apikeyId : `${value ?? ""}~${apikeyId}`;
}

/** The place that a text names; undefined if it is none of this order. */
export function readPlace(sort: string, text: string): KeyPlace | undefined {
  if (sort === "created_at") return { value: null, apikeyId: text };
  // The id has no tilde. A name may have one, and is never empty.
  const at = text.lastIndexOf("~");
  const value = text.slice(0, Math.max(at, 0));
  const isPossible = at >= 0 && (sort === "name" ? value !== "" : value === "" || NUMBER.test(value));
  return isPossible ? { value: value === "" ? null : value, apikeyId: text.slice(at + 1) } : undefined;
}
