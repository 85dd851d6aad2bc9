import { TRPCError } from "@trpc/server";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { lockGroup } from "../groups/queries";
import type { Actor } from "../history/actor";
import { requestedPage } from "../input/page";
import { limitChanges, limitsOf } from "../limits/apply";
import { summarizeLimits } from "../limits/summary";
import { accountProcedure, accountProcedureFailingWith, router } from "../trpc";
import {
  type ChangeOutcome,
  changeKey,
  changeKeysOfList,
  disabling,
  enabling,
  failuresOf,
  type KeyChange,
  limitsChange,
  moving,
  renaming,
  revoking,
} from "./change-queries";
import { hashKeyValue, KEY_ID_PATTERN, makeKeyValue, makeNextValue } from "./key-value";
import { previewLimits } from "./preview-queries";
import { findKey, insertKey, listKeys, listKeysAfter } from "./queries";
import {
  batchInput,
  batchOutcome,
  changedKey,
  changeKeyInput,
  createdKey,
  createKeyInput,
  exportKeysInput,
  foundKey,
  getKeyInput,
  type Key,
  keyChunk,
  keyList,
  limitsOutcome,
  listKeysInput,
  moveKeyInput,
  renameKeyInput,
  rotatedKey,
  rotateKeyInput,
  setLimitsInput,
  setLimitsOfManyInput,
  updatedLimits,
} from "./schema";
import { rotateSecret } from "./secret-queries";

const TAGS = ["API keys"];
/** How many keys one chunk of an export has. */
const CHUNK = 2000;
const NO_SUCH_KEY = "The key does not exist, or is revoked.";
const CHANGED_MEANWHILE = "`version` was sent, and the key was changed meanwhile.";

export const keysRouter = router({
  /** Creates a key (contract, section 4.1). The whole value is in this answer and nowhere else, ever. */
  create: accountProcedureFailingWith("creation failed: the API key was not created because of an internal failure")
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys",
        summary: "Create an API key",
        description: "A limit that is not sent is unset. The key value is returned this once.",
        tags: TAGS,
      },
      status: 201,
    })
    .input(createKeyInput)
    .output(createdKey)
    .mutation(async ({ ctx, input }) => {
      const { name, group_id = null, ...sent } = input;
      const limits = limitsOf(sent);
      for (;;) {
        const { value, id } = makeKeyValue(ctx.keyPrefix);
        const key = { id, hash: hashKeyValue(value), name, groupId: group_id, limits };
        const outcome = await insertKey(ctx.db, ctx.accountId, ctx.actor, key);
        if (outcome === "no such group") throw noSuchGroup();
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
        tags: TAGS,
      },
    })
    .input(setLimitsInput)
    .output(updatedLimits)
    .mutation(async ({ ctx, input }) => {
      const { apikey_id, version, ...patch } = input;
      const change = limitsChange(limitChanges(patch, { omittedExpiry: "clear" }));
      const key = await changeOne(ctx, { apikey_id, version }, change);
      return { success: true as const, message: summarizeLimits(apikey_id, key), ...limitsOf(key) };
    }),

  /** A page of the account's keys, searched, filtered and ordered by the database. */
  list: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikeys",
        summary: "List API keys",
        description: "A page of the keys of the account, newest first unless `sort` says otherwise.",
        successDescription: "A page of the keys.",
        tags: TAGS,
      },
    })
    .input(listKeysInput)
    .output(keyList)
    .query(async ({ ctx, input }) => {
      const { search, group_id: group, status, look, sort = "created_at", order = "desc" } = input;
      const page = requestedPage(input);
      const found = await listKeys(ctx.db, ctx.accountId, { search, group, status, look }, { sort, order }, page);
      return { object: "list" as const, ...found, page: page.page, page_size: page.pageSize };
    }),

  /** All keys that match, chunk by chunk, for an export. */
  export: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikeys/export",
        summary: "Walk through all API keys",
        description: `All keys that match, newest first, in chunks of ${CHUNK}: send \`next\` of an answer as \`after\` of the next call.`,
        successDescription: "The next keys.",
        tags: TAGS,
      },
    })
    .input(exportKeysInput)
    .output(keyChunk)
    .query(async ({ ctx, input }) => {
      const { search, group_id: group, status, look, after } = input;
      const data = await listKeysAfter(ctx.db, ctx.accountId, { search, group, status, look }, after, CHUNK);
      const next = data.length < CHUNK ? null : (data.at(-1)?.apikey_id ?? null);
      return { object: "list" as const, data, next };
    }),

  /** One key of the account, revoked ones too. Never its value. */
  get: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikeys/{apikey_id}",
        summary: "Read one API key",
        description: "A key with its limits and its status, revoked ones too. Never its value.",
        successDescription: "The key.",
        errorResponses: { 404: "The key does not exist." },
        tags: TAGS,
      },
    })
    .input(getKeyInput)
    .output(foundKey)
    .query(async ({ ctx, input }) => {
      const key = KEY_ID_PATTERN.test(input.apikey_id)
        ? await findKey(ctx.db, ctx.accountId, input.apikey_id)
        : undefined;
      if (!key) throw noSuchKey();
      return key;
    }),

  /** Gives a key another name. */
  rename: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/{apikey_id}/rename",
        summary: "Rename an API key",
        description: "Changes the label of a key. Its value and its limits stay.",
        successDescription: "The key has its new name.",
        errorResponses: { 404: NO_SUCH_KEY, 409: CHANGED_MEANWHILE },
        tags: TAGS,
      },
    })
    .input(renameKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const key = await changeOne(ctx, input, renaming(input.name));
      return answer(key, `API key renamed to "${input.name}".`);
    }),

  /** Moves a key to another group of the account, or to none. */
  move: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/{apikey_id}/move",
        summary: "Move an API key to a group",
        description: "Moves a key to another group, or out of every group. Its limits stay.",
        successDescription: "The key is in the group.",
        errorResponses: {
          400: "A parameter has the wrong type; `group_id` names no existing group; the key is the default key.",
          404: NO_SUCH_KEY,
          409: CHANGED_MEANWHILE,
        },
        tags: TAGS,
      },
    })
    .input(moveKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const { apikey_id, version, group_id } = input;
      const outcome = await ctx.db.prisma.$transaction(async (transaction) => {
        const group = group_id === null ? null : await lockGroup(transaction, ctx.accountId, group_id);
        if (group === undefined) throw noSuchGroup();
        return changeKey(transaction, ctx.accountId, ctx.actor, target(apikey_id, version), moving(group));
      });
      const key = changed(outcome);
      return answer(
        key,
        key.group_name === null
          ? `API key "${key.name}" is in no group now.`
          : `API key "${key.name}" moved to group "${key.group_name}".`,
      );
    }),

  /** Makes a key refused until it is enabled again. */
  disable: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/{apikey_id}/disable",
        summary: "Disable an API key",
        description: "The key is refused until it is enabled again. The default key is never disabled.",
        successDescription: "The key is disabled.",
        errorResponses: { 400: "The key is the default key.", 404: NO_SUCH_KEY, 409: CHANGED_MEANWHILE },
        tags: TAGS,
      },
    })
    .input(changeKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const key = await changeOne(ctx, input, disabling);
      return answer(key, `API key "${key.name}" disabled.`);
    }),

  /** Makes a disabled key valid again. */
  enable: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/{apikey_id}/enable",
        summary: "Enable an API key",
        description: "A disabled key is valid again, as far as its expiry date allows.",
        successDescription: "The key is enabled.",
        errorResponses: { 404: NO_SUCH_KEY, 409: CHANGED_MEANWHILE },
        tags: TAGS,
      },
    })
    .input(changeKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const key = await changeOne(ctx, input, enabling);
      return answer(key, `API key "${key.name}" enabled.`);
    }),

  /** Ends a key for good. */
  revoke: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/{apikey_id}/revoke",
        summary: "Revoke an API key",
        description: "Ends a key for good; this cannot be undone. The default key is never revoked, only rotated.",
        successDescription: "The key is revoked.",
        errorResponses: { 400: "The key is the default key.", 404: NO_SUCH_KEY, 409: CHANGED_MEANWHILE },
        tags: TAGS,
      },
    })
    .input(changeKeyInput)
    .output(changedKey)
    .mutation(async ({ ctx, input }) => {
      const key = await changeOne(ctx, input, revoking);
      return answer(key, `API key "${key.name}" revoked.`);
    }),

  /** Gives a key a new value under the same id; the old one works on for the time of grace. */
  rotate: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/{apikey_id}/rotate",
        summary: "Rotate an API key",
        description:
          "Gives the key a new value with the same `apikey_id`, returned this once. The old value works on for `grace_seconds`.",
        successDescription: "The key has its new value.",
        errorResponses: { 404: NO_SUCH_KEY },
        tags: TAGS,
      },
    })
    .input(rotateKeyInput)
    .output(rotatedKey)
    .mutation(async ({ ctx, input }) => {
      const { apikey_id, grace_seconds: graceSeconds = 0 } = input;
      if (!KEY_ID_PATTERN.test(apikey_id)) throw noSuchKey();
      const value = makeNextValue(apikey_id);
      const secret = { apikeyId: apikey_id, hash: hashKeyValue(value), graceSeconds };
      const rotated = await rotateSecret(ctx.db, ctx.accountId, ctx.actor, secret);
      if (!rotated) throw noSuchKey();
      const { previousUntil } = rotated;
      const ending =
        previousUntil === null
          ? "the old value has ended"
          : `the old value works until ${new Date(previousUntil * 1000).toISOString().replace(".000Z", "Z")}`;
      return {
        success: true as const,
        message: `API key rotated; ${ending}.`,
        apikey_id,
        apikey: value,
        previous_value_until: previousUntil,
      };
    }),

  /** Does one thing to many keys: those that exist, are not revoked and allow it; the others are named. */
  batch: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/batch",
        summary: "Disable, enable, revoke or move many API keys",
        description: "Does one thing to each of the keys. Those that it cannot be done to are named, with the reason.",
        successDescription: "What succeeded, and what did not.",
        tags: TAGS,
      },
    })
    .input(batchInput)
    .output(batchOutcome)
    .mutation(async ({ ctx, input }) => {
      const { apikey_ids, action, group_id } = input;
      const { updated, failed } = await ctx.db.prisma.$transaction(async (transaction) => {
        const act = (change: KeyChange) => changeKeysOfList(transaction, ctx.accountId, ctx.actor, apikey_ids, change);
        if (action !== "move") return act({ disable: disabling, enable: enabling, revoke: revoking }[action]);
        const group = group_id ? await lockGroup(transaction, ctx.accountId, group_id) : null;
        if (group === undefined) throw noSuchGroup();
        return act(moving(group));
      });
      const done = { disable: "disabled", enable: "enabled", revoke: "revoked", move: "moved" }[action];
      return outcome(updated, failed, `${count(updated)} ${done}`);
    }),

  /** Sets limits of many keys: what is omitted stays, the expiry date too, as in section 4.5. */
  setLimitsOfMany: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/apikeys/batch_budget",
        summary: "Set the limits of many API keys",
        description:
          "At least one limit parameter is required. What is not sent stays as it is, `expiry_date` too. With `dry_run` nothing changes, and the answer says what would happen.",
        successDescription: "What succeeded, and what did not.",
        tags: TAGS,
      },
    })
    .input(setLimitsOfManyInput)
    .output(limitsOutcome)
    .mutation(async ({ ctx, input }) => {
      const { apikey_ids, dry_run = false, ...patch } = input;
      const changes = limitChanges(patch, { omittedExpiry: "keep" });
      const change = limitsChange(changes);
      if (dry_run) {
        const preview = await previewLimits(ctx.db, ctx.accountId, { apikeyIds: apikey_ids }, changes);
        const failed = await failuresOf(ctx.db.prisma, ctx.accountId, apikey_ids, change);
        const sentence = `Nothing changed. Limits would be set on ${count(preview.key_count)}`;
        return { ...outcome(0, failed, sentence), preview };
      }
      const { updated, failed } = await ctx.db.prisma.$transaction((transaction) =>
        changeKeysOfList(transaction, ctx.accountId, ctx.actor, apikey_ids, change),
      );
      return outcome(updated, failed, `Limits updated on ${count(updated)}`);
    }),
});

/** Does one thing to one key, and gives the key as it is then; what came instead is an error. */
async function changeOne(
  { db, accountId, actor }: { db: Database; accountId: AccountId; actor: Actor },
  { apikey_id, version }: { apikey_id: string; version?: number | undefined },
  change: KeyChange,
): Promise<Key> {
  return changed(await changeKey(db.prisma, accountId, actor, target(apikey_id, version), change));
}

function target(apikeyId: string, version: number | undefined): { apikeyId: string; version: number | undefined } {
  if (!KEY_ID_PATTERN.test(apikeyId)) throw noSuchKey();
  return { apikeyId, version };
}

/** The key as it is after a change; what came instead is an error. */
function changed(outcome: ChangeOutcome): Key {
  switch (outcome.kind) {
    case "changed":
      return outcome.key;
    case "no such key":
      throw noSuchKey();
    case "refused":
      throw new TRPCError({ code: "BAD_REQUEST", message: `apikey_id: ${outcome.reason}` });
    case "changed meanwhile":
      throw new TRPCError({ code: "CONFLICT", message: "version: the API key was changed meanwhile; read it again" });
  }
}

function answer(key: Key, message: string) {
  return { success: true as const, message, ...key };
}

function outcome<Failed>(updated: number, failed: Failed[], sentence: string) {
  const failures = failed.length === 0 ? "" : `, ${failed.length} failed`;
  return {
    success: true as const,
    message: `${sentence}${failures}.`,
    updated_count: updated,
    failed_count: failed.length,
    failed,
  };
}

function count(keys: number): string {
  return `${keys} API key${keys === 1 ? "" : "s"}`;
}

function noSuchKey(): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message: "apikey_id: the API key does not exist" });
}

function noSuchGroup(): TRPCError {
  return new TRPCError({ code: "BAD_REQUEST", message: "group_id: names no existing group" });
}
