import { z } from "zod";
import { expected } from "../input/expectation";
import { objectId } from "../input/object-id";
import { MAX_NAME_LENGTH, nameText } from "../input/text";
import { atLeastOneLimit, limitValues, optionalLimits } from "../limits/schema";

const keyName = nameText.meta({
  description: `Label of the key, 1 to ${MAX_NAME_LENGTH} characters.`,
  examples: ["production"],
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
});
const groupId = objectId.meta({
  description: "Group that the key belongs to.",
  examples: ["6920a1f0c3d4e5f60718293a"],
});
const message = z.string().meta({ description: "Human-readable confirmation.", examples: ["API key created."] });
const success = z.literal(true).meta({ description: "Always true.", examples: [true] });

/** Body of section 4.1. */
export const createKeyInput = z.object({ name: keyName, group_id: groupId.optional(), ...optionalLimits });

/** Answer of section 4.1. */
export const createdKey = z.object({
  success,
  message,
  apikey: z.string().meta({
    description: "The whole key value. It is shown this once. Its first 10 characters are the `apikey_id`.",
    examples: ["sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
  }),
  name: keyName,
  group_id: groupId.nullable(),
  ...limitValues,
});

/** Path parameter and body of section 4.2. */
export const setLimitsInput = z
  .object({
    apikey_id: z.string({ error: expected("string") }).meta({
      description: "The first 10 characters of the key value.",
      examples: ["sk-AbC1234"],
      minLength: 10,
      maxLength: 10,
    }),
    ...optionalLimits,
  })
  .refine(...atLeastOneLimit);

/** Answer of section 4.2. */
export const updatedLimits = z.object({
  success,
  message: message.meta({
    description: "States the budget and the expiry date, and the daily and monthly limits when they are set.",
    examples: [
      "Limits of sk-AbC1234 updated: budget 1000.0000 yuan, expiry date 2027-12-31, daily limit 50.0000 yuan.",
    ],
  }),
  ...limitValues,
});
