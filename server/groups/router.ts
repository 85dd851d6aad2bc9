import type { z } from "zod";
import { requireProof } from "../auth/proof";
import type { Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { countOfKeys } from "../input/count";
import { newObjectId } from "../input/new-object-id";
import { pageAnswer, requestedPage } from "../input/page";
import { afterLargeChange } from "../keys/change-order-queries";
import { changeKeysOfGroup } from "../keys/change-queries";
import { moving } from "../keys/key-change";
import { setLimitsOfGroup } from "../keys/large-change-queries";
import { previewLimits } from "../keys/preview-queries";
import { namedRequest } from "../keys/repeated-request-queries";
import { limitChanges, sentLimits } from "../limits/apply";
import { accountProcedure, router } from "../trpc";
import { groupEndpoints } from "./endpoints";
import {
  deleteGroup,
  findGroup,
  findGroupNames,
  type GroupChange,
  insertGroup,
  listGroups,
  lockGroupToDelete,
  searchGroups,
  updateGroup,
} from "./queries";
import {
  batchResult,
  createdGroup,
  createGroupInput,
  deletedGroup,
  deleteGroupInput,
  getGroupInput,
  groupList,
  groupNames,
  groupNamesInput,
  groupPage,
  groupWithLimits,
  requestedNames,
  searchGroupsInput,
  setGroupLimitsInput,
  updatedGroup,
  updateGroupInput,
} from "./schema";

export const groupsRouter = router({
  /** Creates a group. An omitted description is the empty string (docs/api.md#create-a-group). */
  create: accountProcedure
    .meta(groupEndpoints.create)
    .input(createGroupInput)
    .output(createdGroup)
    .mutation(async ({ ctx, input }) => {
      const { name, description = "" } = input;
      const id = newObjectId();
      const outcome = await insertGroup(ctx.db, ctx.accountId, ctx.actor, { id, name, description });
      if (!outcome.ok) throw failWith(outcome.reason);
      return { success: true as const, message: `Group "${name}" created.`, group_id: id, group_name: name };
    }),

  /** Lists every group of the account, newest first (docs/api.md#list-groups). */
  list: accountProcedure
    .meta(groupEndpoints.list)
    .output(groupList)
    .query(async ({ ctx }) => ({
      object: "list" as const,
      data: await ctx.read((db) => listGroups(db, ctx.accountId)),
    })),

  /** Sets limits of every key of a group. An omitted limit stays, the expiry date too (docs/api.md#set-limits-of-a-group). */
  setLimits: accountProcedure
    .meta(groupEndpoints.setLimits)
    .input(setGroupLimitsInput)
    .output(batchResult)
    .mutation(async ({ ctx, input }) => {
      const { group_id: groupId, dry_run: isDryRun = false, request_id: requestId, ...patch } = input;
      const changes = limitChanges(patch, { omittedExpiry: "keep" });
      if (isDryRun) {
        const preview = await previewLimits(ctx, ctx.accountId, { groupId }, changes);
        if (preview.key_count === 0) throw failWith(errors.noKeyInGroup());
        const message = `Nothing changed. Limits would be set on ${countOfKeys(preview.key_count)}.`;
        return { success: true as const, message, updated_count: 0, failed_count: 0, preview };
      }
      const request = namedRequest(ctx.accountId, requestId, { groupId });
      const { updated, isReplayed } = await afterLargeChange(ctx.db, ctx.accountId, () =>
        setLimitsOfGroup(ctx.db, ctx.accountId, ctx.actor, groupId, changes, request),
      );
      if (updated === 0) throw failWith(errors.noKeyInGroup());
      return {
        success: true as const,
        message: `Limits updated on ${countOfKeys(updated)}.`,
        updated_count: updated,
        failed_count: 0,
        ...(isReplayed && { replayed: true as const }),
      };
    }),

  /** A page of the groups, each with the limits that its keys share. The database searches and orders. */
  search: accountProcedure
    .meta(groupEndpoints.search)
    .input(searchGroupsInput)
    .output(groupPage)
    .query(async ({ ctx, input }) => {
      const { search, sort = "created_at", order = "desc" } = input;
      const page = requestedPage(input);
      const found = await ctx.read((db) => searchGroups(db, ctx.accountId, { search, sort, order }, page));
      return pageAnswer(found, page);
    }),

  /** Groups by name, for choosing one among thousands. */
  names: accountProcedure
    .meta(groupEndpoints.names)
    .input(groupNamesInput)
    .output(groupNames)
    .query(async ({ ctx, input }) => {
      const wanted = { search: input.search, ...requestedNames(input) };
      const { data, hasMore } = await ctx.read((db) => findGroupNames(db, ctx.accountId, wanted));
      return { object: "list" as const, data, has_more: hasMore };
    }),

  /** One group, with the limits that its keys share. */
  get: accountProcedure
    .meta(groupEndpoints.get)
    .input(getGroupInput)
    .output(groupWithLimits)
    .query(async ({ ctx, input }) => {
      const group = await findGroup(ctx.db, ctx.accountId, input.group_id);
      if (!group) throw failWith(errors.noSuchGroup());
      return group;
    }),

  /** Changes a group: its name, its description, the limits that its new keys start with. An omitted one stays. */
  update: accountProcedure
    .meta(groupEndpoints.update)
    .input(updateGroupInput)
    .output(updatedGroup)
    .mutation(async ({ ctx, input }) => {
      const { group_id: groupId, before = {}, ...sent } = input;
      const outcome = await updateGroup(ctx.db, ctx.accountId, ctx.actor, groupId, changeOf(sent), changeOf(before));
      if (!outcome.ok) throw failWith(outcome.reason);
      const { group } = outcome;
      return { success: true as const, message: `Group "${group.name}" changed.`, ...group };
    }),

  /** Deletes a group. Its keys stay, in no group. A group with keys is deleted only with `ungroup_keys`. */
  delete: accountProcedure
    .meta(groupEndpoints.delete)
    .input(deleteGroupInput)
    .output(deletedGroup)
    .mutation(async ({ ctx, input }) => {
      const { group_id: groupId, ungroup_keys: mayUngroup = false } = input;
      await requireProof(ctx);
      const deletion = async (transaction: Transaction) => {
        const group = await lockGroupToDelete(transaction, ctx.accountId, groupId);
        if (!group) throw failWith(errors.noSuchGroup());
        const { name, keyCount } = group;
        if (keyCount > 0 && !mayUngroup) throw failWith(errors.groupHasKeys(keyCount));
        // Fewer than were counted, where another change that was waited for has revoked or moved some.
        const ungrouped =
          keyCount === 0
            ? 0
            : await changeKeysOfGroup(transaction, ctx.accountId, ctx.actor, groupId, moving(ctx.accountId, null));
        await deleteGroup(transaction, ctx.accountId, ctx.actor, group);
        const rest =
          ungrouped > 0 ? `; ${countOfKeys(ungrouped)} ${ungrouped === 1 ? "is" : "are"} in no group now` : "";
        return { success: true as const, message: `Group "${name}" deleted${rest}.`, ungrouped_count: ungrouped };
      };
      return afterLargeChange(ctx.db, ctx.accountId, () => ctx.db.prisma.$transaction(deletion));
    }),
});

function changeOf({
  name,
  description,
  defaults = {},
  apply_defaults: applyDefaults,
}: Omit<z.infer<typeof updateGroupInput>, "group_id" | "before">): GroupChange {
  return { name, description, defaults: sentLimits(defaults), applyDefaults };
}
