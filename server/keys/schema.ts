import { z } from "zod";
import { keyCount, list, success } from "../input/answer";
import { expected, expectedOneOf, expectedOnly } from "../input/expectation";
import { rule } from "../input/fault";
import { keyId, wellFormedKeyId } from "../input/key-id";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize, sortOrder } from "../input/page";
import { replayed, requestName } from "../input/request-name";
import { atMost, freeText, MAX_NAME_LENGTH, nameText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { wholeNumber } from "../input/whole-number";
import { BLOCKED_SHOWN, dryRun, namedKey, previewOfLimits } from "../limits/preview";
import { relativeChanges, setOrChanged } from "../limits/relative";
import { AMOUNT_NAMES, atLeastOneLimit, CEILING_NAMES, limitValues, optionalLimits, WINDOWS } from "../limits/schema";
import { readPlace } from "./place";

const keyName = nameText.meta({
  description: `Label of the key, 1 to ${MAX_NAME_LENGTH} characters.`,
  examples: ["production"],
});
const groupId = objectId.meta({
  description: "Group that the key belongs to.",
  examples: ["6920a1f0c3d4e5f60718293a"],
});
const keyValue = z.string().meta({
  description: "The whole key value. It is shown this once. Its first 10 characters are the `apikey_id`.",
  examples: ["sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
});
const message = z.string().meta({ description: "What was done, in words.", examples: ["API key created."] });

/** Refuses a change of a key that somebody else has changed meanwhile. */
const version = wholeNumber.optional().meta({
  description: "The `version` of the key that the change is based on. When the key has another by now, it is 409.",
  examples: [4],
});

/** Body of the creation of a key. */
export const createKeyInput = z.object(
  {
    name: keyName,
    group_id: groupId.optional(),
    ...optionalLimits,
    apply_defaults: z
      .boolean({ error: expected("boolean") })
      .optional()
      .meta({
        description:
          "Whether a limit that is not sent takes the default of the group. As the group's `apply_defaults` says when it is not sent.",
        examples: [false],
      }),
  },
  { error: expected("object") },
);

export type CreateKeyInput = z.infer<typeof createKeyInput>;

const newKey = { apikey: keyValue, name: keyName, group_id: groupId.nullable(), ...limitValues };

/** Answer of the creation of a key. */
export const createdKey = z.object({ success, message, ...newKey }).meta({ id: "CreatedApiKey" });

/** The most keys that one call creates. */
export const MAX_CREATED = 1000;

/** Body of the creation of many keys. */
export const createKeysInput = z.object({
  keys: z
    .array(createKeyInput, { error: expected("array of objects") })
    .min(1, { error: "must have at least one key" })
    .max(MAX_CREATED, { error: `must have at most ${MAX_CREATED} keys` })
    .meta({ description: `The keys, at most ${MAX_CREATED}. Each has the parameters of the creation of one key.` }),
});

/** Answer of the creation of many keys, in the order of the body. */
export const createdKeys = z.object({
  success,
  message: message.meta({ examples: ["2 API keys created."] }),
  created_count: keyCount.meta({ description: "How many keys were created." }),
  keys: z
    .array(z.object(newKey).meta({ id: "NewApiKey" }))
    .meta({ description: "The keys, in the order in which they were sent." }),
});

/** Path and body of limits for one key. */
export const setLimitsInput = z.object({ apikey_id: keyId, ...optionalLimits, version }).refine(...atLeastOneLimit);

/** Answer of limits for one key. */
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

/** The states of a key (docs/api.md#key-states). */
export const KEY_STATUSES = ["active", "disabled", "expired", "exhausted", "revoked"] as const;

export type KeyStatus = (typeof KEY_STATUSES)[number];

const keyStatus = z.enum(KEY_STATUSES, { error: expectedOneOf(KEY_STATUSES) }).meta({
  id: "ApiKeyStatus",
  description: "What the key is good for at this moment.",
  examples: ["active"],
});

/** Why a call with a key is refused, in the order in which they are checked. See docs/api.md#authorize. */
export const REFUSALS = [
  "key_not_found",
  "account_disabled",
  "key_disabled",
  "key_expired",
  "unknown_model",
  ...CEILING_NAMES,
  "open_holds",
  ...WINDOWS,
] as const;

export type Refusal = (typeof REFUSALS)[number];

export const refusalCode = z.enum(REFUSALS, { error: expectedOneOf(REFUSALS) }).meta({
  id: "RefusalCode",
  description: "Why a call is refused.",
  examples: ["budget"],
});

export const KEY_SORTS = [
  "created_at",
  "name",
  ...AMOUNT_NAMES,
  "expiry_date",
  "spent_today",
  "spent_this_month",
  "spent",
  "share_used",
  "last_used_at",
] as const;

/** The order of a list for which no other is asked: the newest first. */
export const DEFAULT_SORT = "created_at";

export type KeySort = (typeof KEY_SORTS)[number];

const yuan = (meaning: string, example: number) =>
  z.number().meta({ description: `${meaning}, in yuan.`, examples: [example] });

/** What is left of each limit: limit − spent − held. */
const available = z
  .object({
    budget: yuan("Left of the total budget", 900).nullable(),
    daily: yuan("Left of the day's limit", 5.5).nullable(),
    monthly: yuan("Left of the month's limit", 400).nullable(),
  })
  .meta({
    id: "Available",
    description: "What is left of each limit: limit − spent − held; `null` where there is no limit.",
  });

/** What a key has spent. Days and months are those of the account's zone. */
const spending = {
  spent: yuan("Spent, ever", 95.5),
  spent_today: yuan("Spent today", 40),
  spent_this_month: yuan("Spent this month", 95.5),
  held: yuan("Held by open authorizations", 4.5),
  available,
  daily_resets_at: unixTime("When the next day begins", 1795276800),
  monthly_resets_at: unixTime("When the next month begins", 1796054400),
  last_used_at: unixTime("Time of the last authorization").nullable(),
};

/**
 * From this share of a limit on, the limit is near: `over_80`, `near_limits`. The generated column `near_limit_until` (migration
 * 20261121200200_lists) has the same share.
 */
export const NEAR_FROM = 0.8;

/** Conditions of keys that an owner may want to check. */
export const KEY_LOOKS = [
  "over_80",
  "never_used",
  "idle_30_days",
  "expiring_7_days",
  "unlimited",
  "differs_from_group",
] as const;

export type KeyLook = (typeof KEY_LOOKS)[number];

const key = z
  .object({
    apikey_id: keyId,
    name: keyName,
    is_default: z.boolean().meta({ description: "Whether it is the default key of the account.", examples: [false] }),
    status: keyStatus,
    blocked_by: z.array(z.enum(WINDOWS)).meta({
      description: "The limits of spend that are reached, so that each call is refused until they are raised or reset.",
      examples: [[]],
    }),
    near_limits: z.array(z.enum(WINDOWS)).meta({
      description: "The limits of which 80 % or more is spent, and that are not reached.",
      examples: [["daily_limit"]],
    }),
    group_id: groupId.nullable(),
    group_name: z
      .string()
      .nullable()
      .meta({ description: "Name of that group.", examples: ["Research"] }),
    ...limitValues,
    ...spending,
    created_at: unixTime("Creation time", 1793500000),
    version: z.int().meta({ description: "Grows with every change of the key.", examples: [4], minimum: 1 }),
  })
  .meta({ id: "ApiKey", description: "An API key: its limits, what it spent, and its state." });

export type Key = z.infer<typeof key>;

/** The filters of lists and exports of keys. */
const keyFilter = {
  search: atMost(freeText, MAX_NAME_LENGTH)
    .optional()
    .meta({ description: "A part of the name or of the `apikey_id`, in any letter case.", examples: ["prod"] }),
  group_id: z
    .string({ error: expected("string") })
    .regex(/^(none|[0-9a-fA-F]{24})$/, { error: "must be a valid ObjectId of 24 hexadecimal characters, or none" })
    .overwrite((id) => id.toLowerCase())
    .optional()
    .meta({
      description: "Only keys of this group; `none`: only those in no group.",
      examples: ["6920a1f0c3d4e5f60718293a"],
    }),
  status: keyStatus.optional().meta({
    description: "Only keys of this status. Revoked keys are listed only when asked for.",
    examples: ["active"],
  }),
  look: z
    .enum(KEY_LOOKS, { error: expectedOneOf(KEY_LOOKS) })
    .optional()
    .meta({
      description:
        "Only keys in one of these conditions: over 80 % of a limit, never used, idle for 30 days, expiring within 7 days, without any limit of spend, or with another limit than the defaults of its group.",
      examples: ["over_80"],
    }),
};

/** The order of lists and exports of keys. */
const keyOrder = {
  sort: z
    .enum(KEY_SORTS, { error: expectedOneOf(KEY_SORTS) })
    .optional()
    .meta({
      description:
        "What to order by. `created_at` when it is not sent. `share_used`: the greatest share that is spent of any limit. Unset values come last.",
      examples: ["name"],
    }),
  order: sortOrder,
};

/** Filter, order and page of a list of keys. */
export const listKeysInput = z.object({
  ...keyFilter,
  ...keyOrder,
  page: pageNumber,
  page_size: pageSize,
});

export type ListKeysInput = z.infer<typeof listKeysInput>;

/** A page of keys. */
export const keyList = pageOf(key, "The keys of this page.");

/** The name by which keys are looked for, and how many of them. */
export const namedKeysInput = listKeysInput.pick({ page_size: true }).extend({ name: nameText });

/** The first keys that have it, by id. */
export const namedKeys = z.object({ data: z.array(key) });

/** Filter and order of an export of keys, and where its next chunk begins. */
export const exportKeysInput = z
  .object({
    ...keyFilter,
    ...keyOrder,
    after: freeText.optional().meta({
      description: "`next` of the chunk before, with the same filter and order; the first chunk when it is not sent.",
      examples: ["sk-AbC1234"],
    }),
  })
  .refine(({ sort = DEFAULT_SORT, after }) => after === undefined || readPlace(sort, after) !== undefined, {
    path: ["after"],
    ...rule("not_accepted", "must be `next` of an answer with the same sort"),
  });

export type ExportKeysInput = z.infer<typeof exportKeysInput>;

/** The next keys of an export. */
export const keyChunk = z.object({
  object: list,
  data: z.array(key).meta({ description: "The keys of this chunk, in order." }),
  next: z
    .string()
    .nullable()
    .meta({
      description: "What to send as `after` for the next chunk; `null` after the last.",
      examples: ["sk-AbC1234"],
    }),
});

/** Path of one key. */
export const getKeyInput = z.object({ apikey_id: keyId });

/** One key. */
export const foundKey = z
  .object({
    ...key.shape,
    previous_value_until: unixTime("When the value before the last rotation stops to work; null when it has")
      .nullable()
      .meta({
        description: "Until when a value from before a rotation works too, in whole seconds since 1970 (UTC).",
        examples: [1795222800],
      }),
  })
  .meta({ id: "ApiKeyDetails" });

export type FoundKey = z.infer<typeof foundKey>;

/** Body of a renaming. */
export const renameKeyInput = z.object({ apikey_id: keyId, name: keyName, version });

/** Body of a move: the group, or null for none. */
export const moveKeyInput = z.object({
  apikey_id: keyId,
  group_id: groupId.nullable().meta({ description: "Group to move the key to; `null`: no group." }),
  version,
});

/** Body of a change that needs only the key. */
export const changeKeyInput = z.object({ apikey_id: keyId, version });

/** Answer of a change. */
export const changedKey = z
  .object({ success, message: message.meta({ examples: ['API key "production" enabled.'] }), ...key.shape })
  .meta({ id: "ChangedApiKey" });

/** Longest time, in seconds, that an old key value keeps working after a rotation: 7 days. */
export const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

/** Body of a rotation. */
export const rotateKeyInput = z.object({
  apikey_id: keyId,
  grace_seconds: wholeNumber
    .min(0, { error: "must be 0 or more" })
    .max(MAX_GRACE_SECONDS, { error: `must be ${MAX_GRACE_SECONDS} (7 days) or less` })
    .optional()
    .meta({
      description: "For how many seconds the old value keeps working beside the new one. 0 when it is not sent.",
      examples: [3600],
    }),
  version,
});

/** Answer of a rotation. */
export const rotatedKey = z
  .object({
    success,
    message: message.meta({ examples: ["API key rotated; the old value works until 2026-11-21T01:00:00Z."] }),
    apikey_id: keyId,
    apikey: keyValue,
    previous_value_until: foundKey.shape.previous_value_until,
  })
  .meta({ id: "RotatedApiKey" });

const MAX_BATCH = 1000;

const keyIds = z
  .array(wellFormedKeyId, { error: expected("array of strings") })
  .min(1, { error: "must name at least one key" })
  .max(MAX_BATCH, { error: `must name at most ${MAX_BATCH} keys` })
  .optional()
  .meta({ description: `The keys, at most ${MAX_BATCH}.`, examples: [["sk-AbC1234", "sk-xYz7890"]] });

/** How many keys that match a filter one call changes at most. See docs/decisions/filtered-changes.md. */
export const KEYS_OF_CALL = 5_000;

/** Which keys a change of many is done to. */
const manyKeys = {
  apikey_ids: keyIds,
  filter: z
    .strictObject(keyFilter, { error: expectedOnly(Object.keys(keyFilter)) })
    .meta({ id: "ApiKeyFilter", description: "Filters of the list of keys." })
    .optional()
    .meta({
      description: `Instead of \`apikey_ids\`: all keys that match, with the filters of the list; \`{}\`: all that are not revoked. One call changes at most ${KEYS_OF_CALL}.`,
      examples: [{ group_id: "6920a1f0c3d4e5f60718293a", status: "active" }],
    }),
  after: wellFormedKeyId.optional().meta({
    description: "With `filter`: `next` of the call before, to go on behind it.",
  }),
  request_id: requestName,
  dry_run: dryRun,
};

/** Which keys a change of many is done to. */
export type ManyKeys = z.infer<z.ZodObject<typeof manyKeys>>;

/** The filters of keys, as a list takes them. */
export type KeyFilterInput = NonNullable<ManyKeys["filter"]>;

const oneTarget: [(input: ManyKeys) => boolean, ReturnType<typeof rule>] = [
  ({ apikey_ids, filter }) => (apikey_ids === undefined) !== (filter === undefined),
  rule("exactly_one_of", "exactly one of apikey_ids and filter is required", { names: "apikey_ids, filter" }),
];

const afterOfFilter: [(input: ManyKeys) => boolean, { path: string[] } & ReturnType<typeof rule>] = [
  ({ filter, after }) => after === undefined || filter !== undefined,
  { path: ["after"], ...rule("not_accepted", "is only for filter") },
];

const BATCH_ACTIONS = ["disable", "enable", "revoke", "move"] as const;

/** Body of one action on many keys. */
export const batchInput = z
  .object({
    ...manyKeys,
    action: z
      .enum(BATCH_ACTIONS, { error: expectedOneOf(BATCH_ACTIONS) })
      .meta({ description: "What to do with each of the keys.", examples: ["disable"] }),
    group_id: groupId
      .nullable()
      .optional()
      .meta({ description: "For `move`: the group to move them to; `null`: no group." }),
  })
  .refine(...oneTarget)
  .refine(...afterOfFilter)
  .refine(({ action, group_id }) => action !== "move" || group_id !== undefined, {
    path: ["group_id"],
    ...rule("group_missing", "is required to move keys; null for no group"),
  })
  // Beside an empty filter it would look as if it chose the keys of a group, and all keys would be changed.
  .refine(({ action, group_id }) => action === "move" || group_id === undefined, {
    path: ["group_id"],
    ...rule("not_accepted", "is only for move"),
  });

/** Body of limits for many keys. An omitted limit stays, the expiry date too. */
export const setLimitsOfManyInput = z
  .object({ ...manyKeys, ...optionalLimits, change: relativeChanges })
  .refine(...oneTarget)
  .refine(...afterOfFilter)
  .refine(...atLeastOneLimit)
  .refine(...setOrChanged);

const failedKey = z
  .object({
    apikey_id: keyId,
    name: z
      .string()
      .nullable()
      .meta({ description: "Name of the key, where it exists.", examples: ["production"] }),
    error: z.string().meta({ description: "Why it failed.", examples: ["the API key does not exist"] }),
    code: z.string().meta({ description: "The same for programs.", examples: ["key_not_found"] }),
    values: z.record(z.string(), z.union([z.string(), z.number()])).meta({
      description: "The values in the sentence that differ from one such failure to the next.",
      examples: [{ limit: "budget" }],
    }),
  })
  .meta({ id: "FailedApiKey", description: "A key that could not be changed, and why." });

export type FailedKey = z.infer<typeof failedKey>;

const leftOut = z
  .object({
    code: z
      .string()
      .meta({ description: "Names the reason. It never changes.", examples: ["default_key_not_disabled"] }),
    error: z.string().meta({
      description: "The reason, for people.",
      examples: ["the default API key is never disabled; rotate it instead"],
    }),
    key_count: keyCount.meta({ description: "How many keys are left out for it.", examples: [1] }),
  })
  .meta({ id: "LeftOutApiKeys", description: "Keys that match and cannot be changed so, for one reason." });

export type LeftOutKeys = z.infer<typeof leftOut>;

/** Answer of a change of many keys: how many were changed, and which were not. */
const manyKeysOutcome = z.object({
  success,
  message: message.meta({ examples: ["3 API keys disabled."] }),
  updated_count: keyCount.meta({ description: "Keys changed successfully, those that were so before included." }),
  failed_count: keyCount.meta({ description: "Keys of `apikey_ids` that failed.", examples: [0] }),
  failed: z.array(failedKey).meta({ description: "The keys of `apikey_ids` that failed, each with its reason." }),
  unchanged_count: keyCount.optional().meta({
    description: "With `filter`: how many of `updated_count` were so before.",
    examples: [0],
  }),
  left_out: z
    .array(leftOut)
    .optional()
    .meta({ description: "With `filter`: the keys that match and cannot be changed so, by reason." }),
  remaining_count: keyCount.optional().meta({
    description: "With `filter`: how many keys match that no call has come to yet. With `dry_run`: how many match.",
    examples: [0],
  }),
  remaining_count_is_exact: z
    .boolean()
    .optional()
    .meta({
      description: "`false`: there are more, because counting stops at 100,000.",
      examples: [true],
    }),
  next: keyId.nullable().optional().meta({
    description: "With `filter`: what to send as `after` to go on; `null`: all keys have been changed.",
  }),
  replayed,
});

/** What an action on many keys would do. */
const previewOfAction = z
  .object({
    key_count: keyCount.meta({ description: "How many keys the action fits." }),
    changed_count: keyCount.meta({ description: "How many of them are not so yet." }),
    blocked_count: keyCount.meta({ description: "How many keys that work now would be refused.", examples: [0] }),
    blocked: z.array(namedKey).meta({ description: `The first ${BLOCKED_SHOWN} of them, by name.` }),
    spent: yuan("What the keys that the action fits have spent, ever", 95.5),
    shared_group_id: groupId
      .nullable()
      .optional()
      .meta({ description: "The group that all of them are in; `null`: none of them is in one. Absent: they differ." }),
  })
  .meta({ id: "ActionPreview", description: "With `dry_run`: what would happen." });

export type PreviewOfAction = z.infer<typeof previewOfAction>;

/** Answer of an action on many keys. With `dry_run` it says what would happen. */
export const batchOutcome = z.object({ ...manyKeysOutcome.shape, preview: previewOfAction.optional() });

/** Answer of limits for many keys. With `dry_run` it says what would happen. */
export const limitsOutcome = z.object({ ...manyKeysOutcome.shape, preview: previewOfLimits.optional() });
