import { z } from "zod";
import { objectId } from "../input/object-id";
import { freeText, nameText } from "../input/text";
import { atLeastOneLimit, optionalLimits } from "../limits/schema";

const groupName = nameText.meta({
  description: "Name of the group, 1 to 128 characters, unique within the account.",
  examples: ["Research"],
});
const groupId = objectId.meta({ description: "Identifier of the group.", examples: ["6920a1f0c3d4e5f60718293a"] });
const description = freeText.meta({ description: "Free text.", examples: ["Keys of the research team"] });
const success = z.literal(true).meta({ description: "Always true.", examples: [true] });
const unixTime = z.int().meta({ description: "Seconds since 1970 (UTC).", examples: [1795219200] });
const keyCount = z.int().meta({ examples: [3] });

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
export const group = z.object({
  id: groupId,
  name: groupName,
  description,
  created_at: unixTime,
  updated_at: unixTime,
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
  updated_count: keyCount.meta({ description: "Keys updated." }),
  failed_count: keyCount.meta({ description: "Keys that failed.", examples: [0] }),
});
