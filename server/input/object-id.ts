import { z } from "zod";
import { expected } from "./expectation";
import { OBJECT_ID_FORM } from "./fault";

/** An ObjectId in a request: 24 hexadecimal characters in any letter case. The value is in lower case. */
export const objectId = z
  .string({ error: expected("string (ObjectId)") })
  .regex(OBJECT_ID_FORM, { error: "must be a valid ObjectId of 24 hexadecimal characters" })
  .overwrite((id) => id.toLowerCase());
