import { ObjectId } from "bson";

/** A new ObjectId, as 24 lower-case hexadecimal characters. Browsers load its schema, so that is another file. */
export function newObjectId(): string {
  return new ObjectId().toHexString();
}
