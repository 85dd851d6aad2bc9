import type { z } from "zod";
import type { AccountId } from "../auth/account-id";
import { requireProof } from "../auth/proof";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { lockGroup } from "../groups/queries";
import type { Actor } from "../history/actor";
import { countOfKeys } from "../input/count";
import { limitChanges } from "../limits/apply";
import { accountProcedure } from "../trpc";
import { afterLargeChange } from "./change-order-queries";
import { changeKeysOfList, failuresOf } from "./change-queries";
import { keyEndpoints } from "./endpoints";
import { changeNextKeys, countFound, type FilteredKeys, type LeftOut } from "./filter-change-queries";
import { disabling, enabling, type KeyChange, limitsChangeOfMany, moving, revoking } from "./key-change";
import { listLeftOut, previewAction, previewLimits } from "./preview-queries";
import { changeMadeBy, keysLeftBy, type MadeChange, namedRequest } from "./repeated-request-queries";
import { batchInput, batchOutcome, type FailedKey, limitsOutcome, type ManyKeys, setLimitsOfManyInput } from "./schema";

/** The procedures of keys that change many keys at once. */
export const batchProcedures = {
  /** Does one action on many keys (docs/api.md#change-many-keys). */
  batch: accountProcedure
    .meta(keyEndpoints.batch)
    .input(batchInput)
    .output(batchOutcome)
    .mutation(async ({ ctx, input }) => {
      const { action, group_id: groupId, dry_run: isDryRun = false } = input;
      const changeIn = async (transaction: Transaction): Promise<KeyChange> => {
        if (action !== "move") return { disable: disabling, enable: enabling, revoke: revoking }[action];
        const group = groupId ? await lockGroup(transaction, ctx.accountId, groupId) : null;
        if (group === undefined) throw failWith(errors.groupNamesNone());
        return moving(ctx.accountId, group);
      };
      if (isDryRun) {
        const change = await changeIn(ctx.db.prisma);
        const preview = await previewAction(ctx.db, ctx.accountId, targetOf(input), change);
        const sentence = `Nothing changed. This would ${action} ${countOfKeys(preview.changed_count)}`;
        return { ...(await dryAnswer(ctx, input, change, preview.key_count, sentence)), preview };
      }
      if (action === "revoke") await requireProof(ctx);
      const done = { disable: "disabled", enable: "enabled", revoke: "revoked", move: "moved" }[action];
      return changeManyKeys(ctx, input, changeIn, (count) => `${countOfKeys(count)} ${done}`);
    }),

  /** Sets limits of many keys. An omitted limit stays, the expiry date too (docs/api.md#set-limits-of-many-keys). */
  setLimitsOfMany: accountProcedure
    .meta(keyEndpoints.setLimitsOfMany)
    .input(setLimitsOfManyInput)
    .output(limitsOutcome)
    .mutation(async ({ ctx, input }) => {
      const changes = limitChanges(input, { omittedExpiry: "keep" });
      const change = limitsChangeOfMany(changes);
      if (input.dry_run) {
        const preview = await previewLimits(ctx, ctx.accountId, targetOf(input), changes);
        const sentence = `Nothing changed. Limits would be set on ${countOfKeys(preview.key_count)}`;
        return { ...(await dryAnswer(ctx, input, change, preview.key_count, sentence)), preview };
      }
      return changeManyKeys(
        ctx,
        input,
        async () => change,
        (count) => `Limits updated on ${countOfKeys(count)}`,
      );
    }),
};

interface Caller {
  db: Database;
  accountId: AccountId;
  actor: Actor;
}

type ManyKeysAnswer = Omit<z.infer<typeof batchOutcome>, "preview">;

/** The keys that an input names; the schema has seen that it names them in one way. */
function targetOf({ apikey_ids: apikeyIds, filter, after }: ManyKeys): { apikeyIds: string[] } | FilteredKeys {
  if (!filter) return { apikeyIds: apikeyIds ?? [] };
  const { search, group_id: group, status, look } = filter;
  return { filter: { search, group, status, look }, after };
}

/** Changes the keys of a list, or the next ones that match a filter, in one transaction with one event. */
async function changeManyKeys(
  { db, accountId, actor }: Caller,
  input: ManyKeys,
  changeIn: (transaction: Transaction) => Promise<KeyChange>,
  sentenceFor: (updated: number) => string,
): Promise<ManyKeysAnswer> {
  const target = targetOf(input);
  const request = namedRequest(accountId, input.request_id, target);
  const inTransaction = <Result>(work: (made: MadeChange | undefined, ...to: Work) => Promise<Result>) =>
    afterLargeChange(db, accountId, () =>
      db.prisma.$transaction(async (transaction) => {
        const change = await changeIn(transaction);
        const made = request && (await changeMadeBy(transaction, accountId, request, change));
        if (made && !made.isSame) throw failWith(errors.requestOfAnotherChange());
        return work(made, transaction, change);
      }),
    );

  if ("apikeyIds" in target) {
    return inTransaction(async (made, transaction, change) => {
      if (!made) {
        const { updated, failed } = await changeKeysOfList(
          transaction,
          accountId,
          actor,
          target.apikeyIds,
          change,
          request,
        );
        return answer(sentenceFor(updated), updated, failed);
      }
      const left = await keysLeftBy(transaction, accountId, made, target.apikeyIds);
      const failed = await failuresOf(transaction, accountId, left, change);
      return { ...answer(sentenceFor(made.updated), made.updated, failed), replayed: true as const };
    });
  }
  // Counted before, so that the locks are not held meanwhile.
  const found = await countFound(db, accountId, target);
  const { isReplayed, ...part } = await inTransaction(async (made, transaction, change) =>
    made
      ? {
          seen: 0,
          updated: made.updated,
          unchanged: made.updated - made.keyCount,
          leftOut: [],
          next: made.next,
          isReplayed: true,
        }
      : { ...(await changeNextKeys(transaction, accountId, actor, target, change, request)), isReplayed: false },
  );
  // Keys that the first call has changed may match no more. So those behind them are counted by themselves.
  const { total, isTotalExact } =
    isReplayed && part.next !== null ? await countFound(db, accountId, { ...target, after: part.next }) : found;
  return {
    ...answer(sentenceFor(part.updated), part.updated, []),
    unchanged_count: part.unchanged,
    left_out: part.leftOut.map(leftOutAnswer),
    remaining_count: part.next === null ? 0 : Math.max(0, total - part.seen),
    remaining_count_is_exact: isTotalExact || part.next === null,
    next: part.next,
    ...(isReplayed && { replayed: true as const }),
  };
}

type Work = [transaction: Transaction, change: KeyChange];

/** What a dry run answers beside its preview. @param fitting how many keys the change fits. */
async function dryAnswer(
  { db, accountId }: Caller,
  input: ManyKeys,
  change: KeyChange,
  fitting: number,
  sentence: string,
): Promise<ManyKeysAnswer> {
  const target = targetOf(input);
  if ("apikeyIds" in target) {
    return answer(sentence, 0, await failuresOf(db.prisma, accountId, target.apikeyIds, change));
  }
  const leftOut = await listLeftOut(db, accountId, target, change);
  return {
    ...answer(sentence, 0, []),
    unchanged_count: 0,
    left_out: leftOut.map(leftOutAnswer),
    remaining_count: leftOut.reduce((sum, { keyCount }) => sum + keyCount, fitting),
    remaining_count_is_exact: true,
    next: null,
  };
}

function leftOutAnswer({ reason, keyCount }: LeftOut) {
  return { code: reason.code, error: reason.reason, key_count: keyCount };
}

function answer(sentence: string, updated: number, failed: FailedKey[]): ManyKeysAnswer {
  const failures = failed.length === 0 ? "" : `, ${failed.length} failed`;
  return {
    success: true as const,
    message: `${sentence}${failures}.`,
    updated_count: updated,
    failed_count: failed.length,
    failed,
  };
}
