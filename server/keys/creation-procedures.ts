import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { failWith } from "../errors/public-error";
import { findGroupIds } from "../groups/queries";
import { countOfKeys } from "../input/count";
import { describeFaults } from "../input/expectation";
import { limitsOf } from "../limits/apply";
import type { Limits } from "../limits/schema";
import { accountProcedure, batchedProcedureFailingWith } from "../trpc";
import { keyEndpoints } from "./endpoints";
import type { NewKey } from "./insertion";
import { hashKeyValue, makeKeyValue } from "./key-value";
import { type CreateKeyInput, createdKey, createdKeys, createKeyInput, createKeysInput } from "./schema";

/** The procedures that create keys. */
export const creationProcedures = {
  /** Creates a key (docs/api.md#create-a-key). This answer alone has the whole value. */
  create: batchedProcedureFailingWith(errors.keyNotCreated())
    .meta(keyEndpoints.create)
    .input(createKeyInput)
    .output(createdKey)
    .mutation(async ({ ctx, input }) => {
      for (;;) {
        const { value, key } = makeKey(ctx.keyPrefix, input);
        const outcome = await ctx.keyInsertion.insert(ctx.accountId, ctx.actor, key);
        if (outcome.ok) {
          return { success: true as const, message: "API key created.", ...created(value, key, outcome.taken) };
        }
        if (outcome.reason !== "id taken") throw failWith(outcome.reason);
      }
    }),

  /** Creates many keys, all or none (docs/api.md#create-many-keys). This answer alone has their values. */
  createMany: accountProcedure
    .meta(keyEndpoints.createMany)
    .input(createKeysInput)
    .output(createdKeys)
    .mutation(async ({ ctx, input }) => {
      for (;;) {
        const made = input.keys.map((row) => makeKey(ctx.keyPrefix, row));
        const keys = made.map(({ key }) => key);
        const outcome = await ctx.keyInsertion.insertTogether(ctx.accountId, ctx.actor, keys);
        if (outcome.ok) {
          return {
            success: true as const,
            message: `${countOfKeys(keys.length)} created.`,
            created_count: keys.length,
            keys: made.map(({ value, key }, i) => created(value, key, outcome.taken[i] ?? {})),
          };
        }
        if (outcome.reason !== "id taken") {
          throw failWith((await missingGroups(ctx.db, ctx.accountId, keys)) ?? outcome.reason);
        }
      }
    }),
};

/** A new key with its value, which is stored nowhere. */
function makeKey(prefix: string, input: CreateKeyInput): { value: string; key: NewKey } {
  const { name, group_id: groupId = null, apply_defaults: takesDefaults, ...sent } = input;
  const { value, id } = makeKeyValue(prefix);
  return { value, key: { id, hash: hashKeyValue(value), name, groupId, limits: limitsOf(sent), takesDefaults } };
}

function created(value: string, { name, groupId, limits }: NewKey, taken: Partial<Limits>) {
  return { apikey: value, name, group_id: groupId, ...limits, ...taken };
}

/** The failure that names each key whose group does not exist; undefined when all exist by now. */
async function missingGroups(db: Database, accountId: AccountId, keys: NewKey[]): Promise<Failure | undefined> {
  const ids = keys.flatMap(({ groupId }) => groupId ?? []);
  const existing = await findGroupIds(db, accountId, [...new Set(ids)]);
  const faults = keys.flatMap(({ groupId }, i) =>
    groupId === null || existing.has(groupId)
      ? []
      : [{ path: ["keys", i, "group_id"], message: errors.groupNamesNone().reason }],
  );
  return faults.length === 0 ? undefined : errors.invalidInput(describeFaults(faults));
}
