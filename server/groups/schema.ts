import { z } from "zod";
import { keyCount, list, success } from "../input/answer";
import { expected, expectedOneOf } from "../input/expectation";
import { rule } from "../input/fault";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize, sortOrder } from "../input/page";
import { replayed, requestName } from "../input/request-name";
import { atMost, freeText, MAX_NAME_LENGTH, nameText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { dryRun, previewOfLimits } from "../limits/preview";
import { relativeChanges, setOrChanged } from "../limits/relative";
import { atLeastOneLimit, LIMIT_NAMES, limits, limitValues, optionalLimits } from "../limits/schema";

const groupName = nameText.meta({
  description: `Name of the group, 1 to ${MAX_NAME_LENGTH} characters, unique within the account.`,
  examples: ["Research"],
});
const groupId = objectId.meta({ description: "Identifier of the group.", examples: ["6920a1f0c3d4e5f60718293a"] });
const description = freeText.meta({ description: "Free text.", examples: ["Keys of the research team"] });

/** Body of the creation of a group. */
export const createGroupInput = z.object({ name: groupName, description: description.optional() });

/** Answer of the creation of a group. */
export const createdGroup = z
  .object({
    success,
    message: z.string().meta({
      description: "Confirmation that includes the name of the group.",
      examples: ['Group "Research" created.'],
    }),
    group_id: groupId,
    group_name: groupName,
  })
  .meta({ id: "CreatedGroup" });

/** One group in the list of all groups. */
const group = z
  .object({
    id: groupId,
    name: groupName,
    description,
    created_at: unixTime("Creation time"),
    updated_at: unixTime("Time of the last update"),
    apikey_count: keyCount.meta({ description: "Number of keys in the group that are not revoked." }),
  })
  .meta({ id: "Group", description: "A group of API keys." });

export type Group = z.infer<typeof group>;

/** The list of all groups. */
export const groupList = z.object({
  object: list,
  data: z.array(group).meta({ description: "Every group of the account, newest first." }),
});

/** Path and body of limits for every key of a group. */
export const setGroupLimitsInput = z
  .object({
    group_id: groupId,
    ...optionalLimits,
    change: relativeChanges,
    request_id: requestName,
    dry_run: dryRun,
  })
  .refine(...atLeastOneLimit)
  .refine(...setOrChanged);

/** Answer of limits for every key of a group. With `dry_run` it says what would happen. */
export const batchResult = z.object({
  success,
  message: z.string().meta({
    description: "States how many keys were updated.",
    examples: ["Limits updated on 3 API keys."],
  }),
  updated_count: keyCount.meta({ description: "Keys updated successfully." }),
  failed_count: keyCount.meta({ description: "Keys that failed.", examples: [0] }),
  replayed,
  preview: previewOfLimits.optional(),
});

export const GROUP_SORTS = ["created_at", "name", "apikey_count"] as const;

export type GroupSort = (typeof GROUP_SORTS)[number];

/** Filter, order and page of a list of groups. */
export const searchGroupsInput = z.object({
  search: atMost(freeText, MAX_NAME_LENGTH)
    .optional()
    .meta({ description: "A part of the name, in any letter case.", examples: ["res"] }),
  sort: z
    .enum(GROUP_SORTS, { error: expectedOneOf(GROUP_SORTS) })
    .optional()
    .meta({ description: "What to order by. `created_at` when it is not sent.", examples: ["name"] }),
  order: sortOrder,
  page: pageNumber,
  page_size: pageSize,
});

/** A group and the limits that its keys share. */
export const groupWithLimits = z
  .object({
    ...group.shape,
    shared_limits: limits.meta({
      description:
        "Each limit that all keys of the group share; `null` where they share none, or where it is unset on all.",
    }),
    differing_limits: z
      .array(z.enum(LIMIT_NAMES))
      .meta({ description: "The limits that differ from key to key.", examples: [[]] }),
    spent_this_month: z.number().meta({
      description: "What its keys spent this month, in yuan; the month is that of the account's zone.",
      examples: [95.5],
    }),
    defaults: limits.meta({
      description: "The limits that new keys of the group start with; `null` where the group has no default.",
    }),
    apply_defaults: z.boolean().meta({
      description: "Whether a key that is created without a limit takes the default.",
      examples: [false],
    }),
    differing_key_count: keyCount.meta({
      description: "How many keys have another limit than the defaults say.",
      examples: [0],
    }),
  })
  .meta({
    id: "GroupDetails",
    description: "A group, the limits that its keys share, and those that new keys start with.",
  });

export type GroupWithLimits = z.infer<typeof groupWithLimits>;

/** A page of groups. */
export const groupPage = pageOf(groupWithLimits, "The groups of this page.");

/** How many names one answer has when `page_size` is not sent. */
const DEFAULT_NAMES = 20;
const MAX_NAMED_IDS = 100;

/** Which groups to name: those whose name has a part, or those of some ids. */
export const groupNamesInput = z.object({
  search: searchGroupsInput.shape.search,
  group_ids: freeText
    .regex(new RegExp(`^[0-9a-fA-F]{24}(,[0-9a-fA-F]{24}){0,${MAX_NAMED_IDS - 1}}$`), {
      error: `must be at most ${MAX_NAMED_IDS} ObjectIds of 24 hexadecimal characters, with commas between them`,
    })
    .overwrite((ids) => ids.toLowerCase())
    .optional()
    .meta({
      description: `Only these groups, at most ${MAX_NAMED_IDS}, with commas between their ids. All of them are named, whatever \`page_size\` is.`,
      examples: ["6920a1f0c3d4e5f60718293a"],
    }),
  page_size: pageSize.meta({
    description: `How many groups to name, at most 100. ${DEFAULT_NAMES} when it is not sent.`,
    examples: [DEFAULT_NAMES],
  }),
});

/** Groups by name. It reads no key, so that it can be asked at each letter that somebody types. */
export const groupNames = z.object({
  object: list,
  data: z
    .array(
      z
        .object({ id: groupId, name: groupName })
        .meta({ id: "NamedGroup", description: "A group by its id and its name." }),
    )
    .meta({ description: "Groups in the order of their names." }),
  has_more: z.boolean().meta({ description: "Whether more groups match than are named.", examples: [false] }),
});

export type GroupName = z.infer<typeof groupNames>["data"][number];

/** How many groups to name. */
export function requestedNames({ group_ids, page_size = DEFAULT_NAMES }: z.infer<typeof groupNamesInput>): {
  ids: string[] | undefined;
  count: number;
} {
  return { ids: group_ids?.split(","), count: group_ids === undefined ? page_size : MAX_NAMED_IDS };
}

/** Path of one group. */
export const getGroupInput = z.object({ group_id: groupId });

/** What a change of a group may carry. */
const changes = {
  name: groupName.optional(),
  description: description.optional(),
  defaults: z
    .object(limitValues, { error: expected("object") })
    .partial()
    .meta({ id: "DefaultLimits", description: "Limits that new keys start with." })
    .optional()
    .meta({
      description:
        "Limits that new keys of the group start with. One that is not sent stays; `null` removes it; 0 means no limit.",
      examples: [{ budget: 100, daily_limit: 10, expiry_date: null }],
    }),
  apply_defaults: z
    .boolean({ error: expected("boolean") })
    .optional()
    .meta({ description: "Whether a key that is created without a limit takes the default.", examples: [true] }),
};

const before = z
  .object(changes, { error: expected("object") })
  .optional()
  .meta({
    id: "GroupBefore",
    description:
      "What the change is based on: values that the group had when it was read. Where one that changes has another value by now, nothing is changed.",
    examples: [{ name: "Research" }],
  });

/** Path and body of a change of a group. An omitted field stays. */
export const updateGroupInput = z
  .object({ group_id: groupId, ...changes, before })
  .refine(
    (input) => Object.keys(changes).some((name) => input[name as keyof typeof changes] !== undefined),
    rule("nothing_sent", `at least one parameter is required: ${Object.keys(changes).join(", ")}`),
  );

/** Answer of a change of a group. */
export const updatedGroup = z.object({
  success,
  message: z.string().meta({ description: "What was done, in words.", examples: ['Group "Research" changed.'] }),
  ...groupWithLimits.shape,
});

/** Path and body of the deletion of a group. */
export const deleteGroupInput = z.object({
  group_id: groupId,
  ungroup_keys: z
    .boolean({ error: expected("boolean") })
    .optional()
    .meta({
      description: "`true`: the keys of the group stay, in no group. Otherwise a group with keys is not deleted.",
      examples: [true],
    }),
});

/** Answer of the deletion of a group. */
export const deletedGroup = z.object({
  success,
  message: z.string().meta({
    description: "What was done, in words.",
    examples: ['Group "Research" deleted; 3 API keys are in no group now.'],
  }),
  ungrouped_count: keyCount.meta({ description: "Keys that were in the group, and are in none now." }),
});
