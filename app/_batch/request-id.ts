/** A name for a request, with which it is made once. Browsers have `randomUUID` only under https and on localhost. */
export function newRequestId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
