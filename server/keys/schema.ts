import { z } from "zod";
import { keyCount, list, success } from "../input/answer";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize, sortOrder } from "../input/page";
import { freeText, MAX_NAME_LENGTH, nameText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { dryRun, previewOfLimits } from "../limits/preview";
import { AMOUNT_NAMES, atLeastOneLimit, CEILING_NAMES, limitValues, optionalLimits, WINDOWS } from "../limits/schema";

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
const keyIdMeta = {
  description: "The first 10 characters of the key value.",
  examples: ["sk-AbC1234"],
  minLength: 10,
  maxLength: 10,
};
const keyId = z.string({ error: expected("string") }).meta(keyIdMeta);
/** The id of a key. It goes to the database as it was sent, so it must be a text that the database can store. */
const anyKeyId = freeText.meta(keyIdMeta);
const keyValue = z.string().meta({
  description: "The whole key value. It is shown this once. Its first 10 characters are the `apikey_id`.",
  examples: ["sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh"],
});
const message = z.string().meta({ description: "Human-readable confirmation.", examples: ["API key created."] });

/** Refuses a change of a key that somebody else has changed meanwhile. */
const version = z
  .number({ error: expected("number (int)") })
  .int({ error: "must be a whole number" })
  .optional()
  .meta({
    description: "The `version` of the key that the change is based on. When the key has another by now, it is 409.",
    examples: [4],
  });

/** Body of the creation of a key. */
export const createKeyInput = z.object({ name: keyName, group_id: groupId.optional(), ...optionalLimits });

/** Answer of the creation of a key. */
export const createdKey = z.object({
  success,
  message,
  apikey: keyValue,
  name: keyName,
  group_id: groupId.nullable(),
  ...limitValues,
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

/** Why a call with a key is refused, in the order in which they are checked. See docs/api.md#authorize. */
export const REFUSALS = [
  "key_not_found",
  "account_disabled",
  "key_disabled",
  "key_expired",
  ...CEILING_NAMES,
  "open_holds",
  ...WINDOWS,
] as const;

export type Refusal = (typeof REFUSALS)[number];

export const KEY_SORTS = ["created_at", "name", ...AMOUNT_NAMES, "expiry_date", "spent", "last_used_at"] as const;

export type KeySort = (typeof KEY_SORTS)[number];

const yuan = (meaning: string, example: number) =>
  z.number().meta({ description: `${meaning}, in yuan.`, examples: [example] });

/** What is left of each limit: limit − spent − held. */
const available = z
  .object({
    budget: yuan("Left of the total budget", 900).nullable(),
    daily: yuan("Left of the day's limit", 40).nullable(),
    monthly: yuan("Left of the month's limit", 400).nullable(),
  })
  .meta({ description: "What is left of each limit: limit − spent − held; `null` where there is no limit." });

/** What a key has spent. Days and months are those of the account's zone. */
const spending = {
  spent: yuan("Spent, ever", 95.5),
  spent_today: yuan("Spent today", 10),
  spent_this_month: yuan("Spent this month", 95.5),
  held: yuan("Held by open authorizations", 4.5),
  available,
  daily_resets_at: unixTime("When the next day begins"),
  monthly_resets_at: unixTime("When the next month begins"),
  last_used_at: unixTime("Time of the last authorization").nullable(),
};

/** Conditions of keys that an owner may want to check. */
export const KEY_LOOKS = ["over_80", "never_used", "idle_30_days", "expiring_7_days", "unlimited"] as const;

export type KeyLook = (typeof KEY_LOOKS)[number];

const key = z.object({
  apikey_id: keyId,
  name: keyName,
  is_default: z.boolean().meta({ description: "Whether it is the default key of the account.", examples: [false] }),
  status: z.enum(KEY_STATUSES).meta({ description: "What the key is good for at this moment.", examples: ["active"] }),
  group_id: groupId.nullable(),
  group_name: z
    .string()
    .nullable()
    .meta({ description: "Name of that group.", examples: ["Research"] }),
  ...limitValues,
  ...spending,
  created_at: unixTime("Creation time"),
  version: z.int().meta({ description: "Grows with every change of the key.", examples: [4], minimum: 1 }),
});

export type Key = z.infer<typeof key>;

/** The filters of lists and exports of keys. */
const keyFilter = {
  search: freeText
    .max(MAX_NAME_LENGTH, { error: `must be at most ${MAX_NAME_LENGTH} characters long` })
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
  status: z
    .enum(KEY_STATUSES, { error: `must be one of ${KEY_STATUSES.join(", ")}` })
    .optional()
    .meta({
      description: "Only keys of this status. Revoked keys are listed only when asked for.",
      examples: ["active"],
    }),
  look: z
    .enum(KEY_LOOKS, { error: `must be one of ${KEY_LOOKS.join(", ")}` })
    .optional()
    .meta({
      description:
        "Only keys in one of these conditions: over 80 % of a limit, never used, idle for 30 days, expiring within 7 days, or without any limit of spend.",
      examples: ["over_80"],
    }),
};

/** Filter, order and page of a list of keys. */
export const listKeysInput = z.object({
  ...keyFilter,
  sort: z
    .enum(KEY_SORTS, { error: `must be one of ${KEY_SORTS.join(", ")}` })
    .optional()
    .meta({
      description: "What to order by. `created_at` when it is not sent. Unset values come last.",
      examples: ["name"],
    }),
  order: sortOrder,
  page: pageNumber,
  page_size: pageSize,
});

export type ListKeysInput = z.infer<typeof listKeysInput>;

/** A page of keys. */
export const keyList = pageOf(key, "The keys of this page.");

/** Filter of an export of keys, and the key after which its next chunk begins. */
export const exportKeysInput = z.object({
  ...keyFilter,
  after: anyKeyId.optional().meta({ description: "`next` of the chunk before; the first chunk when it is not sent." }),
});

/** The next keys of an export, newest first. */
export const keyChunk = z.object({
  object: list,
  data: z.array(key).meta({ description: "The keys of this chunk, newest first." }),
  next: keyId.nullable().meta({ description: "What to send as `after` for the next chunk; `null` after the last." }),
});

/** Path of one key. */
export const getKeyInput = z.object({ apikey_id: keyId });

/** One key. */
export const foundKey = z.object({
  ...key.shape,
  previous_value_until: unixTime("When the value before the last rotation stops to work; null when it has")
    .nullable()
    .meta({
      description: "Until when a value from before a rotation works too, in whole seconds since 1970 (UTC).",
      examples: [1795219200],
    }),
});

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
export const changedKey = z.object({
  success,
  message: message.meta({ examples: ['API key "production" disabled.'] }),
  ...key.shape,
});

/** Longest time, in seconds, that an old key value keeps working after a rotation: 7 days. */
export const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

/** Body of a rotation. */
export const rotateKeyInput = z.object({
  apikey_id: keyId,
  grace_seconds: z
    .number({ error: expected("number (int)") })
    .int({ error: "must be a whole number" })
    .min(0, { error: "must be 0 or more" })
    .max(MAX_GRACE_SECONDS, { error: `must be ${MAX_GRACE_SECONDS} (7 days) or less` })
    .optional()
    .meta({
      description: "For how many seconds the old value keeps working beside the new one. 0 when it is not sent.",
      examples: [3600],
    }),
});

/** Answer of a rotation. */
export const rotatedKey = z.object({
  success,
  message: message.meta({ examples: ["API key rotated; the old value works until 2027-01-01T00:00:00Z."] }),
  apikey_id: keyId,
  apikey: keyValue,
  previous_value_until: foundKey.shape.previous_value_until,
});

const MAX_BATCH = 1000;

const keyIds = z
  .array(anyKeyId, { error: expected("array of strings") })
  .min(1, { error: "must name at least one key" })
  .max(MAX_BATCH, { error: `must name at most ${MAX_BATCH} keys` })
  .meta({ description: `The keys, at most ${MAX_BATCH}.`, examples: [["sk-AbC1234", "sk-xYz7890"]] });

const BATCH_ACTIONS = ["disable", "enable", "revoke", "move"] as const;

/** Body of one action on many keys. */
export const batchInput = z
  .object({
    apikey_ids: keyIds,
    action: z
      .enum(BATCH_ACTIONS, { error: `must be one of ${BATCH_ACTIONS.join(", ")}` })
      .meta({ description: "What to do with each of the keys.", examples: ["disable"] }),
    group_id: groupId
      .nullable()
      .optional()
      .meta({ description: "For `move`: the group to move them to; `null`: no group." }),
  })
  .refine(({ action, group_id }) => action !== "move" || group_id !== undefined, {
    path: ["group_id"],
    ...rule("group_missing", "is required to move keys; null for no group"),
  });

/** Body of limits for many keys. An omitted limit stays, the expiry date too. */
export const setLimitsOfManyInput = z
  .object({
    apikey_ids: keyIds,
    ...optionalLimits,
    dry_run: dryRun,
  })
  .refine(...atLeastOneLimit);

const failedKey = z.object({
  apikey_id: keyId,
  name: z
    .string()
    .nullable()
    .meta({ description: "Name of the key, where it exists.", examples: ["production"] }),
  error: z.string().meta({ description: "Why it failed.", examples: ["the API key does not exist"] }),
  code: z.string().meta({ description: "The same for programs.", examples: ["key_not_found"] }),
  values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .meta({ description: "The values in the sentence that differ from one such failure to the next.", examples: [{}] }),
});

export type FailedKey = z.infer<typeof failedKey>;

/** Answer of an action on many keys: how many were changed, and which were not. */
export const batchOutcome = z.object({
  success,
  message: message.meta({ examples: ["3 API keys disabled."] }),
  updated_count: keyCount.meta({ description: "Keys changed successfully." }),
  failed_count: keyCount.meta({ description: "Keys that failed.", examples: [0] }),
  failed: z.array(failedKey).meta({ description: "The keys that failed, each with its reason." }),
});

/** Answer of limits for many keys. With `dry_run` it says what would happen. */
export const limitsOutcome = z.object({ ...batchOutcome.shape, preview: previewOfLimits.optional() });
