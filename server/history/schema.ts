import { z } from "zod";
import { rule } from "../input/fault";
import { objectId } from "../input/object-id";
import { pageNumber, pageOf, pageSize } from "../input/page";
import { freeText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { ACTIONS } from "./action";
import { ACTORS } from "./actor";

const day = z.iso
  .date({ error: "must be a date in the format YYYY-MM-DD" })
  .refine((date) => date >= "1000-01-01", rule("year_too_early", "must be of the year 1000 or later"));
const keyId = freeText.meta({ description: "The first 10 characters of the key value.", examples: ["sk-AbC1234"] });
const groupId = objectId.meta({ description: "Identifier of the group.", examples: ["6920a1f0c3d4e5f60718293a"] });
const eventId = objectId.meta({ description: "Identifier of the event.", examples: ["6920a1f0c3d4e5f607182940"] });

const filter = {
  apikey_id: keyId.optional(),
  group_id: groupId.optional(),
  action: z
    .enum(ACTIONS, { error: `must be one of ${ACTIONS.join(", ")}` })
    .optional()
    .meta({ description: "What was done.", examples: ["key.limits_set"] }),
  actor: z
    .enum(ACTORS, { error: `must be one of ${ACTORS.join(", ")}` })
    .optional()
    .meta({ description: "Through what it was done.", examples: ["rest"] }),
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
    .enum(EXPORT_FORMATS, { error: `must be one of ${EXPORT_FORMATS.join(", ")}` })
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

const values = z.record(z.string(), z.unknown());

const eventKey = z.object({
  apikey_id: keyId,
  name: z.string().meta({ description: "Name of the key at that time.", examples: ["production"] }),
  before: values.meta({ description: "The values before, of the fields in `after`.", examples: [{ budget: 100 }] }),
  after: values.optional().meta({
    description: "The values after, of the fields whose value differs from key to key, as after a relative change.",
    examples: [{ budget: 120 }],
  }),
});

const event = z.object({
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
  group_id: groupId.nullable(),
  group_name: z
    .string()
    .nullable()
    .meta({ description: "Name of the group at that time.", examples: ["Research"] }),
  key_count: z.int().meta({ description: "How many keys it was done to.", examples: [1], minimum: 0 }),
  keys: z.array(eventKey).meta({ description: "The first few of these keys." }),
  before: values.meta({ description: "The values before, where it was done to no key.", examples: [{}] }),
  after: values.meta({
    description:
      'The values after. A relative change of a limit is an object, for example `{"multiply": 1.2}`; each key then has its own `after`.',
    examples: [{ budget: 200 }],
  }),
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
