import { z } from "zod";
import { list } from "@/server/input/answer";
import { expectedOneOf } from "@/server/input/expectation";
import { objectId } from "@/server/input/object-id";
import { pageSize } from "@/server/input/page";
import { unixTime } from "@/server/input/unix-time";
import { refusalCode } from "@/server/keys/schema";
import {
  authorizationId,
  listAuthorizationsInput,
  modelUsed,
  openAuthorization,
  refusalDetails,
  settledAnswer,
  usageUsed,
} from "../schema";

const ACTIVITY_ID = "6920a1f0c3d4e5f60718293b";

/** What can have become of a call, once it is over. */
export const ACTIVITY_KINDS = ["captured", "refused", "voided", "expired"] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Which activity to list. */
export const listActivityInput = z.object({
  apikey_id: listAuthorizationsInput.shape.apikey_id,
  kind: z
    .enum(ACTIVITY_KINDS, { error: expectedOneOf(ACTIVITY_KINDS) })
    .optional()
    .meta({ description: "Only calls that became this.", examples: ["refused"] }),
  after: objectId.optional().meta({
    description: "`next` of the answer before; the newest calls when it is not sent.",
    examples: [ACTIVITY_ID],
  }),
  page_size: pageSize,
});

const activity = z
  .object({
    id: objectId.meta({ description: "Identifier of the call, unique in the account.", examples: [ACTIVITY_ID] }),
    kind: z.enum(ACTIVITY_KINDS).meta({ description: "What became of the call.", examples: ["captured"] }),
    at: unixTime("When it was asked for"),
    settled_at: unixTime("When it was captured, voided or had expired", 1795219230).nullable(),
    amount: z
      .number()
      .nullable()
      .meta({
        description: "What was asked for, in yuan; `null`: what the call would have cost was unknown.",
        examples: [2.5],
      }),
    model: modelUsed("of the call"),
    usage: usageUsed,
    captured: z
      .number()
      .nullable()
      .meta({ description: "What was captured, in yuan.", examples: [2.1] }),
    overrun: settledAnswer.shape.overrun,
    late: settledAnswer.shape.late,
    code: refusalCode.nullable().meta({ description: "Why it was refused.", examples: [null] }),
    price: refusalDetails.shape.price.meta({
      description:
        "The price that was refused, in yuan per million tokens; `null`: unknown, or it was not refused for a price.",
      examples: [null],
    }),
    ceiling: refusalDetails.shape.ceiling.meta({
      description: "The ceiling of the key at that time; `null`: it was not refused for a price.",
      examples: [null],
    }),
    request_id: openAuthorization.shape.request_id,
    gateway: openAuthorization.shape.gateway,
    authorization_id: authorizationId.nullable().meta({
      description: "Identifier of the authorization; `null`: it was refused.",
      examples: ["6920a1f0c3d4e5f60718293a6920a1f0c3d4e5f60718293b"],
    }),
  })
  .meta({ id: "Activity", description: "A call that is over." });

export type Activity = z.infer<typeof activity>;

/** The next calls of a key, newest first. */
export const activityList = z.object({
  object: list,
  data: z.array(activity).meta({ description: "The calls, newest first." }),
  next: z
    .string()
    .nullable()
    .meta({
      description: "What to send as `after` for the next ones; `null` after the last.",
      examples: [ACTIVITY_ID],
    }),
  retention_days: z
    .int()
    .meta({ description: "For how many days the activity goes back.", examples: [14], minimum: 1 }),
});
