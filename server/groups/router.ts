import { TRPCError } from "@trpc/server";
import { newObjectId } from "../input/new-object-id";
import { requestedPage } from "../input/page";
import { changeKeysOfGroup, limitsChange, moving } from "../keys/change-queries";
import { previewLimits } from "../keys/preview-queries";
import { limitChanges } from "../limits/apply";
import { accountProcedure, router } from "../trpc";
import { deleteGroup, findGroup, holdGroup, insertGroup, listGroups, searchGroups, updateGroup } from "./queries";
import {
  batchResult,
  createdGroup,
  createGroupInput,
  deletedGroup,
  deleteGroupInput,
  getGroupInput,
  groupList,
  groupPage,
  groupWithLimits,
  searchGroupsInput,
  setGroupLimitsInput,
  updatedGroup,
  updateGroupInput,
} from "./schema";

const TAGS = ["Groups"];
const NO_SUCH_GROUP = "The group does not exist.";

export const groupsRouter = router({
  /** Creates a group (contract, section 4.3). An omitted description is the empty string. */
  create: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikey_groups",
        summary: "Create a group",
        description: "The name is unique within the account. A description that is not sent is the empty string.",
        tags: TAGS,
      },
      status: 201,
    })
    .input(createGroupInput)
    .output(createdGroup)
    .mutation(async ({ ctx, input }) => {
      const { name, description = "" } = input;
      const id = newObjectId();
      if (!(await insertGroup(ctx.db, ctx.accountId, ctx.actor, { id, name, description }))) {
        throw nameTaken();
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
        tags: TAGS,
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
          "At least one limit parameter is required. What is not sent stays as it is on every key, `expiry_date` too. All keys are updated, or none. With `dry_run` nothing changes, and the answer says what would happen.",
        tags: TAGS,
      },
    })
    .input(setGroupLimitsInput)
    .output(batchResult)
    .mutation(async ({ ctx, input }) => {
      const { group_id, dry_run = false, ...patch } = input;
      const changes = limitChanges(patch, { omittedExpiry: "keep" });
      if (dry_run) {
        const preview = await previewLimits(ctx.db, ctx.accountId, { groupId: group_id }, changes);
        if (preview.key_count === 0) throw noKeyInGroup();
        const message = `Nothing changed. Limits would be set on ${count(preview.key_count)}.`;
        return { success: true as const, message, updated_count: 0, failed_count: 0, preview };
      }
      const change = limitsChange(changes);
      const updated = await changeKeysOfGroup(ctx.db.prisma, ctx.accountId, ctx.actor, group_id, change);
      if (updated === 0) throw noKeyInGroup();
      return {
        success: true as const,
        message: `Limits updated on ${count(updated)}.`,
        updated_count: updated,
        failed_count: 0,
      };
    }),

  /** A page of the groups, searched and ordered by the database, each with the limits that its keys share. */
  search: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikey_groups/search",
        summary: "Search groups",
        description: "A page of the groups of the account, each with the limits that its keys share.",
        successDescription: "A page of the groups.",
        tags: TAGS,
      },
    })
    .input(searchGroupsInput)
    .output(groupPage)
    .query(async ({ ctx, input }) => {
      const { search, sort = "created_at", order = "desc" } = input;
      const page = requestedPage(input);
      const found = await searchGroups(ctx.db, ctx.accountId, { search, sort, order }, page);
      return { object: "list" as const, ...found, page: page.page, page_size: page.pageSize };
    }),

  /** One group, with the limits that its keys share. */
  get: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikey_groups/{group_id}",
        summary: "Read one group",
        description: "A group with the number of its keys and the limits that they share.",
        successDescription: "The group.",
        errorResponses: { 400: "`group_id` is not a valid ObjectId.", 404: NO_SUCH_GROUP },
        tags: TAGS,
      },
    })
    .input(getGroupInput)
    .output(groupWithLimits)
    .query(async ({ ctx, input }) => {
      const group = await findGroup(ctx.db, ctx.accountId, input.group_id);
      if (!group) throw noSuchGroup();
      return group;
    }),

  /** Changes the name or the description of a group. What is omitted stays. */
  update: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikey_groups/{group_id}",
        summary: "Change a group",
        description: "Changes the name or the description. What is not sent stays as it is.",
        successDescription: "The group as it is now.",
        errorResponses: {
          400: "Nothing to change is sent; a group of this name already exists; a parameter has the wrong type.",
          404: NO_SUCH_GROUP,
        },
        tags: TAGS,
      },
    })
    .input(updateGroupInput)
    .output(updatedGroup)
    .mutation(async ({ ctx, input }) => {
      const { group_id, name, description } = input;
      const change = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
      const outcome = await updateGroup(ctx.db, ctx.accountId, ctx.actor, group_id, change);
      if (outcome === "name taken") throw nameTaken();
      const group = outcome === "changed" ? await findGroup(ctx.db, ctx.accountId, group_id) : undefined;
      if (!group) throw noSuchGroup();
      return { success: true as const, message: `Group "${group.name}" changed.`, ...group };
    }),

  /** Deletes a group. Its keys stay, in no group; without leave for that, a group with keys is not deleted. */
  delete: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikey_groups/{group_id}/delete",
        summary: "Delete a group",
        description: "Deletes a group without keys, or with `ungroup_keys` one with keys, which stay, in no group.",
        successDescription: "The group is deleted.",
        errorResponses: { 404: NO_SUCH_GROUP, 409: "The group has keys, and `ungroup_keys` is not true." },
        tags: TAGS,
      },
    })
    .input(deleteGroupInput)
    .output(deletedGroup)
    .mutation(async ({ ctx, input }) => {
      const { group_id, ungroup_keys = false } = input;
      return ctx.db.prisma.$transaction(async (transaction) => {
        const group = await holdGroup(transaction, ctx.accountId, group_id);
        if (!group) throw noSuchGroup();
        const { name, keyCount } = group;
        if (keyCount > 0 && !ungroup_keys) {
          throw new TRPCError({
            code: "CONFLICT",
            message: `ungroup_keys: must be true, because the group has ${count(keyCount)}`,
          });
        }
        if (keyCount > 0) {
          await changeKeysOfGroup(transaction, ctx.accountId, ctx.actor, group_id, moving(null));
        }
        await deleteGroup(transaction, ctx.accountId, ctx.actor, group);
        const rest = keyCount > 0 ? `; ${count(keyCount)} ${keyCount === 1 ? "is" : "are"} in no group now` : "";
        return { success: true as const, message: `Group "${name}" deleted${rest}.`, ungrouped_count: keyCount };
      });
    }),
});

function count(keys: number): string {
  return `${keys} API key${keys === 1 ? "" : "s"}`;
}

function nameTaken(): TRPCError {
  return new TRPCError({ code: "BAD_REQUEST", message: "name: a group of this name already exists" });
}

function noKeyInGroup(): TRPCError {
  return new TRPCError({ code: "BAD_REQUEST", message: "group_id: no matching key found in the group" });
}

function noSuchGroup(): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message: "group_id: the group does not exist" });
}
