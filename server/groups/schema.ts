import { z } from "zod";
import { objectId } from "../input/object-id";
import { freeText, MAX_NAME_LENGTH, nameText } from "../input/text";
import { atLeastOneLimit, optionalLimits } from "../limits/schema";

const groupName = nameText.meta({
  description: `Name of the group, 1 to ${MAX_NAME_LENGTH} characters, unique within the account.`,
  examples: ["Research"],
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
});
const groupId = objectId.meta({ description: "Identifier of the group.", examples: ["6920a1f0c3d4e5f60718293a"] });
const description = freeText.meta({ description: "Free text.", examples: ["Keys of the research team"] });
const success = z.literal(true).meta({ description: "Always true.", examples: [true] });
const unixTime = (moment: string) =>
  z.int().meta({ description: `${moment}, in whole seconds since 1970 (UTC).`, examples: [1795219200], minimum: 0 });
const keyCount = z.int().meta({ examples: [3], minimum: 0 });

/** Body of section 4.3. */
export const createGroupInput = z.object({ name: groupName, description: description.optional() });

/** Answer of section 4.3. */
export const createdGroup = z.object({
  success,
  message: z.string().meta({
    description: "Confirmation that includes the name of the group.",
    examples: ['Group "Research" created.'],
  }),
  group_id: groupId,
  group_name: groupName,
});

/** One element of the list of section 4.4. */
const group = z.object({
  id: groupId,
  name: groupName,
  description,
  created_at: unixTime("Creation time"),
  updated_at: unixTime("Time of the last update"),
  apikey_count: keyCount.meta({ description: "Number of keys in the group that are not revoked." }),
});

export type Group = z.infer<typeof group>;

/** Answer of section 4.4. */
export const groupList = z.object({
  object: z.literal("list").meta({ description: "The value `list`.", examples: ["list"] }),
  data: z.array(group).meta({ description: "Every group of the account, newest first." }),
});

/** Path parameter and body of section 4.5. */
export const setGroupLimitsInput = z.object({ group_id: groupId, ...optionalLimits }).refine(...atLeastOneLimit);

/** Answer of section 4.5. */
export const batchResult = z.object({
  success,
  message: z.string().meta({
    description: "States how many keys were updated.",
    examples: ["Limits updated on 3 API keys."],
  }),
  updated_count: keyCount.meta({ description: "Keys updated successfully." }),
  failed_count: keyCount.meta({ description: "Keys that failed.", examples: [0] }),
});
