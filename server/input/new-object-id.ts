import { ObjectId } from "bson";

/** A new ObjectId, as 24 lower-case hexadecimal characters. Apart from its schema, which browsers load too. */
export function newObjectId(): string {
  return new ObjectId().toHexString();
}
