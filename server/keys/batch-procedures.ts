import { requireProof } from "../auth/proof";
import type { Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { lockGroup } from "../groups/queries";
import { countOfKeys } from "../input/count";
import { limitChanges } from "../limits/apply";
import { accountProcedure } from "../trpc";
import { afterLargeChange } from "./change-order-queries";
import {
  changeKeysOfList,
  disabling,
  enabling,
  failuresOf,
  type KeyChange,
  limitsChange,
  moving,
  revoking,
} from "./change-queries";
import { keyEndpoints } from "./endpoints";
import { previewLimits } from "./preview-queries";
import { batchInput, batchOutcome, type FailedKey, limitsOutcome, setLimitsOfManyInput } from "./schema";

/** The procedures of keys that change many keys at once. */
export const batchProcedures = {
  /** Does one action on many keys. The answer names the keys for which it failed. */
  batch: accountProcedure
    .meta(keyEndpoints.batch)
    .input(batchInput)
    .output(batchOutcome)
    .mutation(async ({ ctx, input }) => {
      const { apikey_ids: apikeyIds, action, group_id: groupId } = input;
      if (action === "revoke") await requireProof(ctx);
      const work = async (transaction: Transaction) => {
        const act = (change: KeyChange) => changeKeysOfList(transaction, ctx.accountId, ctx.actor, apikeyIds, change);
        if (action !== "move") return act({ disable: disabling, enable: enabling, revoke: revoking }[action]);
        const group = groupId ? await lockGroup(transaction, ctx.accountId, groupId) : null;
        if (group === undefined) throw failWith(errors.groupNamesNone());
        return act(moving(ctx.accountId, group));
      };
      const { updated, failed } = await afterLargeChange(ctx.db, ctx.accountId, () => ctx.db.prisma.$transaction(work));
      const done = { disable: "disabled", enable: "enabled", revoke: "revoked", move: "moved" }[action];
      return batchAnswer(updated, failed, `${countOfKeys(updated)} ${done}`);
    }),

  /** Sets limits of many keys. An omitted limit stays, the expiry date too (docs/api.md#set-limits-of-many-keys). */
  setLimitsOfMany: accountProcedure
    .meta(keyEndpoints.setLimitsOfMany)
    .input(setLimitsOfManyInput)
    .output(limitsOutcome)
    .mutation(async ({ ctx, input }) => {
      const { apikey_ids: apikeyIds, dry_run: isDryRun = false, ...patch } = input;
      const changes = limitChanges(patch, { omittedExpiry: "keep" });
      const change = limitsChange(changes);
      if (isDryRun) {
        const preview = await previewLimits(ctx.db, ctx.accountId, { apikeyIds }, changes);
        const failed = await failuresOf(ctx.db.prisma, ctx.accountId, apikeyIds, change);
        const sentence = `Nothing changed. Limits would be set on ${countOfKeys(preview.key_count)}`;
        return { ...batchAnswer(0, failed, sentence), preview };
      }
      const { updated, failed } = await afterLargeChange(ctx.db, ctx.accountId, () =>
        ctx.db.prisma.$transaction((transaction) =>
          changeKeysOfList(transaction, ctx.accountId, ctx.actor, apikeyIds, change),
        ),
      );
      return batchAnswer(updated, failed, `Limits updated on ${countOfKeys(updated)}`);
    }),
};

function batchAnswer(updated: number, failed: FailedKey[], sentence: string) {
  const failures = failed.length === 0 ? "" : `, ${failed.length} failed`;
  return {
    success: true as const,
    message: `${sentence}${failures}.`,
    updated_count: updated,
    failed_count: failed.length,
    failed,
  };
}
