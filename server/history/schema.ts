import { z } from "zod";
import { keyCount, success } from "../input/answer";
import { day } from "../input/day";
import { expected, expectedOneOf } from "../input/expectation";
import { keyId, wellFormedKeyId } from "../input/key-id";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize } from "../input/page";
import { requestName } from "../input/request-name";
import { atMost, freeText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { dryRun, previewOfLimits, VALUES_SHOWN } from "../limits/preview";
import { eventChange, MAX_MODEL_NAME_LENGTH } from "../prices/schema";
import { ACTIONS } from "./action";
import { ACTORS } from "./actor";

const groupId = objectId.meta({ description: "Identifier of the group.", examples: ["6920a1f0c3d4e5f60718293a"] });
const eventId = objectId.meta({ description: "Identifier of the event.", examples: ["6920a1f0c3d4e5f607182940"] });

const filter = {
  apikey_id: wellFormedKeyId.optional(),
  group_id: groupId.optional().meta({
    description:
      "Only events of this group: its own changes, keys that were created in it or moved to it, limits that all its keys got.",
    examples: ["6920a1f0c3d4e5f60718293a"],
  }),
  action: z
    .enum(ACTIONS, { error: expectedOneOf(ACTIONS) })
    .optional()
    .meta({ description: "What was done.", examples: ["key.limits_set"] }),
  actor: z
    .enum(ACTORS, { error: expectedOneOf(ACTORS) })
    .optional()
    .meta({ description: "Through what it was done.", examples: ["rest"] }),
  search: atMost(freeText, MAX_MODEL_NAME_LENGTH)
    .optional()
    .meta({
      description:
        "A part of the name of a key, a group, a model or an actor, in any letter case, of the id of a key or a group, or the beginning of the id of an event.",
      examples: ["prod"],
    }),
  from: day.optional().meta({ description: "First day, in the zone of the account.", examples: ["2026-11-01"] }),
  to: day.optional().meta({ description: "Last day, whole, in the zone of the account.", examples: ["2026-11-30"] }),
};

/** Filter and page of the history. */
export const listEventsInput = z.object({ ...filter, page: pageNumber, page_size: pageSize });

export const EXPORT_FORMATS = ["csv", "jsonl"] as const;

/** Filter and format of an export of the history. */
export const exportEventsInput = z.object({
  ...filter,
  format: z
    .enum(EXPORT_FORMATS, { error: expectedOneOf(EXPORT_FORMATS) })
    .optional()
    .meta({
      description: "`csv`, or `jsonl`: one JSON object a line, as the list has them. `csv` when it is not sent.",
      examples: ["jsonl"],
    }),
  after: eventId.optional().meta({
    description: "Only events before this one, to go on with an export that broke off.",
    examples: ["6920a1f0c3d4e5f607182940"],
  }),
});

/** The changes that can be undone. */
export const REVERTIBLE_ACTIONS = [
  "key.renamed",
  "key.moved",
  "key.limits_set",
  "key.disabled",
  "key.enabled",
  "group.changed",
  "models.set",
  "models.imported",
  "models.deleted",
] as const satisfies readonly (typeof ACTIONS)[number][];

export type RevertibleAction = (typeof REVERTIBLE_ACTIONS)[number];

const values = z.record(z.string(), z.unknown());

const eventKey = z
  .object({
    apikey_id: keyId,
    name: z.string().meta({
      description: "Name of the key at that time; the former one, where it was renamed.",
      examples: ["production"],
    }),
    before: values.meta({ description: "The values before, of the fields in `after`.", examples: [{ budget: 100 }] }),
    after: values.meta({
      description: "The values after that differ from key to key. The others are those of the event.",
      examples: [{ budget: 120 }],
    }),
  })
  .meta({ id: "HistoryKey", description: "A key that a change was done to." });

const event = z
  .object({
    id: eventId,
    at: unixTime("Time of the change"),
    action: z.string().meta({ description: "What was done.", examples: ["key.limits_set"] }),
    actor: z
      .object({
        kind: z.enum(ACTORS).meta({ description: "Through what it was done.", examples: ["rest"] }),
        name: z.string().meta({
          description: "The email of a session, the `apikey_id` of a default key, or the name of a command.",
          examples: ["sk-AbC1234"],
        }),
      })
      .meta({ description: "Who did it." }),
    address: z
      .string()
      .nullable()
      .meta({ description: "IP address of the request.", examples: ["203.0.113.7"] }),
    group_id: groupId.nullable().meta({
      description: "The group that was changed, that keys were created in or moved to, or all whose keys got limits.",
      examples: ["6920a1f0c3d4e5f60718293a"],
    }),
    group_name: z
      .string()
      .nullable()
      .meta({
        description: "Name of the group at that time; the new one, where it was renamed.",
        examples: ["Research"],
      }),
    key_count: z.int().meta({ description: "How many keys it was done to.", examples: [1], minimum: 0 }),
    keys: z.array(eventKey).meta({ description: "The first few of these keys." }),
    before: values.meta({
      description: "The values before, where it was done to no key.",
      examples: [{ time_zone: "Asia/Shanghai" }],
    }),
    after: values.meta({
      description:
        'The values after. A relative change of a limit is an object, for example `{"multiply": 1.2}`; each key then has its own `after`.',
      examples: [{ budget: 200 }],
    }),
    reverts: eventId
      .nullable()
      .meta({ description: "The event that this one undid.", examples: ["6920a1f0c3d4e5f607182939"] }),
    reverted_by: eventId
      .nullable()
      .meta({ description: "The newest event that undid this one.", examples: ["6920a1f0c3d4e5f607182941"] }),
  })
  .meta({
    id: "HistoryEvent",
    description: "A change, or a sign-in.",
    examples: [
      {
        id: "6920a1f0c3d4e5f607182940",
        at: 1795219200,
        action: "account.settings_changed",
        actor: { kind: "browser", name: "owner@example.com" },
        address: "203.0.113.7",
        group_id: null,
        group_name: null,
        key_count: 0,
        keys: [],
        before: { time_zone: "UTC" },
        after: { time_zone: "Asia/Shanghai" },
        reverts: null,
        reverted_by: null,
      },
    ],
  });

export type HistoryEvent = z.infer<typeof event>;
export type HistoryKey = z.infer<typeof eventKey>;

/** A page of the history, newest first. */
export const eventList = pageOf(event, "The events of this page, newest first.");

/** The next part of a file with the history. REST sends the parts one after the other. */
export const exportedEvents = z.object({
  /** The media type of the file. */
  type: z.string(),
  name: z.string(),
  text: z.string(),
  /** The event after which the next part begins; `null`: this is the last part. */
  next: z.string().nullable(),
});

/** Path and page of the keys of one event. */
export const listEventKeysInput = z.object({ event_id: eventId, page: pageNumber, page_size: pageSize });

/** A page of the keys of one event, by their ids. */
export const eventKeyList = pageOf(eventKey, "The keys of this page.");

/** How many of the keys that were left out an answer names. */
export const FAILED_SHOWN = 1000;

/** Path and body of the undoing of an event. */
export const revertEventInput = z.object({
  event_id: eventId,
  force: z
    .boolean({ error: expected("boolean") })
    .optional()
    .meta({ description: "`true`: also what was changed since.", examples: [false] }),
  dry_run: dryRun,
});

const plainValue = z.union([z.number(), z.string(), z.boolean()]).nullable();

const revertedField = z
  .object({
    parameter: z.string().meta({
      description: "A limit, or `name`, `description`, `group`, `disabled`.",
      examples: ["budget"],
    }),
    values: z
      .array(
        z.object({
          before: plainValue.meta({ description: "The value that it has now.", examples: [200] }),
          after: plainValue.meta({ description: "The value that it would have.", examples: [100] }),
          key_count: keyCount.meta({ description: "On how many keys." }),
        }),
      )
      .meta({ description: `The ${VALUES_SHOWN} most frequent changes of it.` }),
    distinct_count: keyCount.meta({ description: "How many different changes of it there are.", examples: [1] }),
    changed_count: keyCount.meta({ description: "On how many keys it would change." }),
  })
  .meta({ id: "RevertedField", description: "What would become of one field." });

/** How many of the prices that would change a preview names. */
export const PRICES_SHOWN = 100;

/** What undoing an event would do. */
const previewOfRevert = z
  .object({
    key_count: keyCount.meta({ description: "How many keys would be changed." }),
    changes: z.array(revertedField).meta({ description: "Each field that would change." }),
    blocked_count: previewOfLimits.shape.blocked_count,
    blocked: previewOfLimits.shape.blocked,
    models: previewOfLimits.shape.models.meta({
      description:
        "Where a price ceiling would change: which models that means. Where it is one that new keys of a group start with, for one such key.",
    }),
    price_count: z
      .int()
      .optional()
      .meta({ description: "Where prices would change: how many.", examples: [1], minimum: 0 }),
    prices: z
      .array(eventChange)
      .optional()
      .meta({
        description: `The first ${PRICES_SHOWN} of these prices, by name: \`before\` is the price now, \`after\` the one that it would be.`,
      }),
  })
  .meta({ id: "RevertPreview", description: "With `dry_run`: what would happen." });

export type PreviewOfRevert = z.infer<typeof previewOfRevert>;

const leftOut = z
  .object({
    apikey_id: keyId.nullable().meta({ description: "The key; `null` for a group or a price." }),
    group_id: groupId.nullable().meta({ description: "The group; `null` for a key or a price." }),
    valid_from: eventChange.shape.valid_from
      .nullable()
      .meta({ description: "The first day of the price; `null` for a key or a group.", examples: ["1970-01-01"] }),
    name: z
      .string()
      .nullable()
      .meta({ description: "Its name; of a price, that of the model.", examples: ["production"] }),
    code: z.string().meta({ description: "Names the reason.", examples: ["changed_since"] }),
    error: z.string().meta({
      description: "Why it stays as it is.",
      examples: ["was changed since; send force to undo the change all the same"],
    }),
  })
  .meta({ id: "NotReverted", description: "A key, a group, or a price that stays as it is." });

export type LeftOut = z.infer<typeof leftOut>;

/** Answer of the undoing of an event. */
export const revertedEvent = z
  .object({
    success,
    message: z.string().meta({ description: "What was done, in words.", examples: ["Undone on 3 API keys."] }),
    updated_count: keyCount.meta({ description: "How many keys, groups or prices are as they were before." }),
    failed_count: keyCount.meta({ description: "How many stay as they are.", examples: [0] }),
    skipped_count: keyCount.meta({
      description: "How many of these were changed since, and would be undone with `force`.",
      examples: [0],
    }),
    failed: z.array(leftOut).meta({ description: `The first ${FAILED_SHOWN} that stay, each with its reason.` }),
    event_ids: z.array(eventId).meta({
      description: "The events of the undoing, which can be undone too.",
      examples: [["6920a1f0c3d4e5f607182941"]],
    }),
    preview: previewOfRevert.optional(),
  })
  .meta({ id: "RevertedChange" });

/** Which change of the caller is looked for. */
export const latestChangeInput = z.object({
  action: z.enum([...REVERTIBLE_ACTIONS, "group.created"]),
  apikey_id: keyId.optional(),
  group_id: groupId.optional(),
  /** The name of a change of many keys. None of them says which change it is: it may have been as asked for before. */
  request_id: requestName,
  /** How many seconds ago it was asked for, at most. */
  seconds: z.int().min(0).max(86_400),
});

/** The change; `null`: there is none. */
export const latestChange = z.object({ event_id: eventId.nullable(), after: values });
