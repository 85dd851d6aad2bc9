import { TRPCError } from "@trpc/server";
import { initialLimits, limitChanges } from "../limits/apply";
import { summarizeLimits } from "../limits/summary";
import { accountProcedure, accountProcedureFailingWith, router } from "../trpc";
import { hashKeyValue, KEY_ID_PATTERN, makeKeyValue } from "./key-value";
import { insertKey, updateLimits } from "./queries";
import { createdKey, createKeyInput, setLimitsInput, updatedLimits } from "./schema";

export const keysRouter = router({
  /** Creates a key (contract, section 4.1). The whole value is in this answer and nowhere else, ever. */
  create: accountProcedureFailingWith("creation failed: the API key was not created because of an internal failure")
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys",
        summary: "Create an API key",
        description: "A limit that is not sent is unset. The key value is returned this once.",
        tags: ["API keys"],
      },
      status: 201,
    })
    .input(createKeyInput)
    .output(createdKey)
    .mutation(async ({ ctx, input }) => {
      const { name, group_id = null, ...sent } = input;
      const limits = initialLimits(sent);
      for (;;) {
        const { value, id } = makeKeyValue(ctx.keyPrefix);
        const key = { id, hash: hashKeyValue(value), name, groupId: group_id, limits };
        const outcome = await insertKey(ctx.db, ctx.accountId, key);
        if (outcome === "no such group") {
          throw new TRPCError({ code: "BAD_REQUEST", message: "group_id: names no existing group" });
        }
        if (outcome === "inserted") {
          return { success: true as const, message: "API key created.", apikey: value, name, group_id, ...limits };
        }
      }
    }),

  /** Sets limits of one key (section 4.2): an omitted limit stays, an omitted expiry date is cleared. */
  setLimits: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/{apikey_id}/budget",
        summary: "Set the limits of one API key",
        description:
          "At least one limit parameter is required. A limit that is not sent stays as it is; an `expiry_date` that is not sent is cleared.",
        tags: ["API keys"],
      },
    })
    .input(setLimitsInput)
    .output(updatedLimits)
    .mutation(async ({ ctx, input }) => {
      const { apikey_id, ...patch } = input;
      const limits = KEY_ID_PATTERN.test(apikey_id)
        ? await updateLimits(ctx.db, ctx.accountId, apikey_id, limitChanges(patch, { omittedExpiry: "clear" }))
        : undefined;
      if (limits === undefined) {
        throw new TRPCError({ code: "NOT_FOUND", message: "apikey_id: the API key does not exist" });
      }
      return { success: true as const, message: summarizeLimits(apikey_id, limits), ...limits };
    }),
});
