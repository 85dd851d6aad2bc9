import { z } from "zod";
import { expected } from "./expectation";

/** The form of an `apikey_id`: a prefix of 3 characters, then 7 of base62. */
export const KEY_ID_FORM = /^[A-Za-z0-9_-]{3}[A-Za-z0-9]{7}$/;

const described = {
  description: "The first 10 characters of the key value.",
  examples: ["sk-AbC1234"],
  pattern: KEY_ID_FORM.source,
};

/** The id of a key in a path or an answer. A path with another form is that of a key that does not exist. */
export const keyId = z.string({ error: expected("string") }).meta(described);

/** The id of a key where an unknown one is no error, so that one of a wrong form must be. */
export const wellFormedKeyId = z
  .string({ error: expected("string") })
  .regex(KEY_ID_FORM, { error: "must be the first 10 characters of a key value" })
  .meta(described);
