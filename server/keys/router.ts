import { setImmediate } from "node:timers/promises";
import type { AccountId } from "../auth/account-id";
import { requireProof } from "../auth/proof";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { lockGroup } from "../groups/queries";
import type { Actor } from "../history/actor";
import { KEY_ID_FORM } from "../input/key-id";
import { pageAnswer, requestedPage } from "../input/page";
import { limitChanges, limitsOf } from "../limits/apply";
import { summarizeLimits } from "../limits/summary";
import { accountProcedure, rotatingProcedure, router, sessionProcedure } from "../trpc";
import { batchProcedures } from "./batch-procedures";
import { afterLargeChange } from "./change-order-queries";
import { type ChangeOutcome, changeKey } from "./change-queries";
import { creationProcedures } from "./creation-procedures";
import { CHUNK, keyEndpoints, LARGE_CHUNK } from "./endpoints";
import { disabling, enabling, type KeyChange, limitsChange, moving, renaming, revoking } from "./key-change";
import { hashKeyValue, makeNextValue } from "./key-value";
import { isIndexed } from "./order";
import { readPlace, writePlace } from "./place";
import { EVERY_KEY, findKey, listKeys, listKeysAfter } from "./queries";
import { lockKeys } from "./restore-queries";
import {
  changedKey,
  changeKeyInput,
  DEFAULT_SORT,
  exportKeysInput,
  foundKey,
  getKeyInput,
  type Key,
  keyChunk,
  keyList,
  listKeysInput,
  moveKeyInput,
  namedKeys,
  namedKeysInput,
  renameKeyInput,
  rotatedKey,
  rotateKeyInput,
  setLimitsInput,
  updatedLimits,
} from "./schema";
import { isDefaultKey, rotateSecret } from "./secret-queries";

export const keysRouter = router({
  ...creationProcedures,

  /** Sets limits of one key. An omitted limit stays, an omitted expiry date is cleared (docs/api.md#set-limits-of-a-key). */
  setLimits: accountProcedure
    .meta(keyEndpoints.setLimits)
    .input(setLimitsInput)
    .output(updatedLimits)
    .mutation(async ({ ctx, input }) => {
      const { apikey_id: apikeyId, version: _, ...patch } = input;
      const change = limitsChange(limitChanges(patch, { omittedExpiry: "clear" }));
      const key = await changeOne(ctx, input, change);
      return { success: true as const, message: summarizeLimits(apikeyId, key), ...limitsOf(key) };
    }),

  /** A page of the account's keys. The database searches, filters and orders. */
  list: accountProcedure
    .meta(keyEndpoints.list)
    .input(listKeysInput)
    .output(keyList)
    .query(async ({ ctx, input }) => {
      const { search, group_id: group, status, look, sort = DEFAULT_SORT, order = "desc" } = input;
      const page = requestedPage(input);
      const found = await ctx.read((db) =>
        listKeys(db, ctx.accountId, { search, group, status, look }, { sort, order }, page),
      );
      return pageAnswer(found, page);
    }),

  /** The first keys whose whole name is a text. The palette shows them before those that contain it, of which there may be many. */
  named: sessionProcedure
    .input(namedKeysInput)
    .output(namedKeys)
    .query(async ({ ctx, input: { name, ...input } }) => {
      const place = { value: name, apikeyId: "" };
      const { pageSize } = requestedPage(input);
      const { data } = await ctx.read((db) =>
        listKeysAfter(db, ctx.accountId, EVERY_KEY, { sort: "name", order: "asc" }, place, pageSize),
      );
      return { data: data.filter((key) => key.name === name) };
    }),

  /** All keys that match, chunk by chunk, for an export. */
  export: accountProcedure
    .meta(keyEndpoints.export)
    .input(exportKeysInput)
    .output(keyChunk)
    .query(async ({ ctx, input }) => {
      const { search, group_id: group, status, look, sort = DEFAULT_SORT, order = "desc", after } = input;
      const filter = { search, group, status, look };
      const place = after === undefined ? undefined : readPlace(sort, after);
      const count = isIndexed(sort) ? CHUNK : LARGE_CHUNK;
      const { data, last } = await ctx.read((db) =>
        listKeysAfter(db, ctx.accountId, filter, { sort, order }, place, count),
      );
      // To check so many keys takes a few milliseconds. Authorizations that have arrived meanwhile go first.
      await setImmediate();
      const next = data.length < count || last === undefined ? null : writePlace(sort, last);
      return { object: "list" as const, data, next };
    }),

  /** One key of the account, revoked ones too. Never its value. */
  get: accountProcedure
    .meta(keyEndpoints.get)
    .input(getKeyInput)
    .output(foundKey)
    .query(async ({ ctx, input }) => {
      const key = KEY_ID_FORM.test(input.apikey_id) ? await findKey(ctx.db, ctx.accountId, input.apikey_id) : undefined;
      if (!key) throw failWith(errors.noSuchKey());
      return key;
    }),

  /** Gives a key another name. */
  rename: accountProcedure
    .meta(keyEndpoints.rename)
    .input(renameKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const key = await changeOne(ctx, input, renaming(input.name));
      return answer(key, `API key renamed to "${input.name}".`);
    }),

  /** Moves a key to another group of the account, or to none. */
  move: accountProcedure
    .meta(keyEndpoints.move)
    .input(moveKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const { group_id: groupId } = input;
      const work = async (transaction: Transaction) => {
        const group = groupId === null ? null : await lockGroup(transaction, ctx.accountId, groupId);
        if (group === undefined) throw failWith(errors.groupNamesNone());
        const target = targetOf(input);
        // A statement that waits for the key itself sees its former group by the time before it waited.
        await lockKeys(transaction, ctx.accountId, [target.apikeyId]);
        return changeKey(transaction, ctx.accountId, ctx.actor, target, moving(ctx.accountId, group));
      };
      const outcome = await afterLargeChange(ctx.db, ctx.accountId, () => ctx.db.prisma.$transaction(work));
      const key = changed(outcome);
      return answer(
        key,
        key.group_name === null
          ? `API key "${key.name}" is in no group now.`
          : `API key "${key.name}" moved to group "${key.group_name}".`,
      );
    }),

  /** Disables a key: it is refused until it is enabled again. */
  disable: accountProcedure
    .meta(keyEndpoints.disable)
    .input(changeKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const key = await changeOne(ctx, input, disabling);
      return answer(key, `API key "${key.name}" disabled.`);
    }),

  /** Makes a disabled key valid again. */
  enable: accountProcedure
    .meta(keyEndpoints.enable)
    .input(changeKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const key = await changeOne(ctx, input, enabling);
      return answer(key, `API key "${key.name}" enabled.`);
    }),

  /** Revokes a key for good. */
  revoke: accountProcedure
    .meta(keyEndpoints.revoke)
    .input(changeKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      await requireProof(ctx);
      const key = await changeOne(ctx, input, revoking);
      return answer(key, `API key "${key.name}" revoked.`);
    }),

  /** Gives a key a new value with the same id. The old value works on for the time of grace (docs/api.md#rotate-a-key). */
  rotate: rotatingProcedure
    .meta(keyEndpoints.rotate)
    .input(rotateKeyInput)
    .output(rotatedKey)
    .mutation(async ({ ctx, input }) => {
      const { apikeyId, version } = targetOf(input);
      if (await isDefaultKey(ctx.db, ctx.accountId, apikeyId)) await requireProof(ctx);
      const value = makeNextValue(apikeyId);
      const presented = ctx.actor.name === apikeyId ? (await ctx.caller())?.valueHash : undefined;
      const graceSeconds = input.grace_seconds ?? 0;
      const secret = { apikeyId, version, hash: hashKeyValue(value), presented, graceSeconds };
      const rotated = await rotateSecret(ctx.db, ctx.accountId, ctx.actor, secret);
      if (!rotated.ok) throw failWith(rotated.reason);
      const { previousUntil } = rotated;
      const ending =
        previousUntil === null
          ? "the old value has ended"
          : `the old value works until ${new Date(previousUntil * 1000).toISOString().replace(".000Z", "Z")}`;
      return {
        success: true as const,
        message: `API key rotated; ${ending}.`,
        apikey_id: apikeyId,
        apikey: value,
        previous_value_until: previousUntil,
      };
    }),

  ...batchProcedures,
});

/** Changes one key, and returns it as it is after the change. */
async function changeOne(
  { db, accountId, actor }: { db: Database; accountId: AccountId; actor: Actor },
  input: TargetInput,
  change: KeyChange,
): Promise<Key> {
  const target = targetOf(input);
  return changed(await afterLargeChange(db, accountId, () => changeKey(db.prisma, accountId, actor, target, change)));
}

interface TargetInput {
  apikey_id: string;
  version?: number | undefined;
}

/** The key that an input names. A text that is no id of a key names none. */
function targetOf({ apikey_id: apikeyId, version }: TargetInput): { apikeyId: string; version: number | undefined } {
  if (!KEY_ID_FORM.test(apikeyId)) throw failWith(errors.noSuchKey());
  return { apikeyId, version };
}

function changed(outcome: ChangeOutcome): Key {
  if (!outcome.ok) throw failWith(outcome.reason);
  return outcome.key;
}

function answer(key: Key, message: string) {
  return { success: true as const, message, ...key };
}
