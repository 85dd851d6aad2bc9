import { TRPCError } from "@trpc/server";
import { newObjectId } from "../input/new-object-id";
import { updateLimitsOfGroup } from "../keys/queries";
import { limitChanges } from "../limits/apply";
import { accountProcedure, router } from "../trpc";
import { insertGroup, listGroups } from "./queries";
import { batchResult, createdGroup, createGroupInput, groupList, setGroupLimitsInput } from "./schema";

export const groupsRouter = router({
  /** Creates a group (contract, section 4.3). An omitted description is the empty string. */
  create: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikey_groups",
        summary: "Create a group",
        description: "The name is unique within the account. A description that is not sent is the empty string.",
        tags: ["Groups"],
      },
      status: 201,
    })
    .input(createGroupInput)
    .output(createdGroup)
    .mutation(async ({ ctx, input }) => {
      const { name, description = "" } = input;
      const id = newObjectId();
      if (!(await insertGroup(ctx.db, ctx.accountId, { id, name, description }))) {
        throw new TRPCError({ code: "BAD_REQUEST", message: "name: a group of this name already exists" });
      }
      return { success: true as const, message: `Group "${name}" created.`, group_id: id, group_name: name };
    }),

  /** Lists every group of the account, newest first (section 4.4). */
  list: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikey_groups",
        summary: "List groups",
        description: "Every group of the account, newest first.",
        tags: ["Groups"],
      },
    })
    .output(groupList)
    .query(async ({ ctx }) => ({ object: "list" as const, data: await listGroups(ctx.db, ctx.accountId) })),

  /** Sets limits of every key of a group (section 4.5): what is omitted stays, the expiry date too. */
  setLimits: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikey_groups/{group_id}/batch_budget",
        summary: "Set the limits of every key in a group",
        description:
          "At least one limit parameter is required. What is not sent stays as it is on every key, `expiry_date` too. All keys are updated, or none.",
        tags: ["Groups"],
      },
    })
    .input(setGroupLimitsInput)
    .output(batchResult)
    .mutation(async ({ ctx, input }) => {
      const { group_id, ...patch } = input;
      const changes = limitChanges(patch, { omittedExpiry: "keep" });
      const updated = await updateLimitsOfGroup(ctx.db, ctx.accountId, group_id, changes);
      if (updated === 0) {
        throw new TRPCError({ code: "BAD_REQUEST", message: "group_id: no matching key found in the group" });
      }
      return {
        success: true as const,
        message: `Limits updated on ${updated} API key${updated === 1 ? "" : "s"}.`,
        updated_count: updated,
        failed_count: 0,
      };
    }),
});
