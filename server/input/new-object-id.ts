import { ObjectId } from "bson";

/** A new ObjectId, as 24 lower-case hexadecimal characters. Browsers load its schema, so that is another file. */
export function newObjectId(): string {
  return new ObjectId().toHexString();
}

/** The same id with another time at its beginning, in whole seconds since 1970. */
export function atTime(id: string, seconds: number): string {
  return seconds.toString(16).padStart(8, "0") + id.slice(8);
}
