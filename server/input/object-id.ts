import { z } from "zod";
import { expected } from "./expectation";

/** An ObjectId in a request: 24 hexadecimal characters in any letter case. The value is in lower case. */
export const objectId = z
  .string({ error: expected("string (ObjectId)") })
  .regex(/^[0-9a-fA-F]{24}$/, { error: "must be a valid ObjectId of 24 hexadecimal characters" })
  .overwrite((id) => id.toLowerCase());
