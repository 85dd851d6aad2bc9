import type { Prisma } from "../../prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Transaction } from "../db/client";
import { newObjectId } from "../input/new-object-id";
import type { Actor } from "./actor";
import type { Action } from "./schema";

/** What happened to something that is no key. Values are plain JSON, and never a secret. */
export interface Happening {
  action: Action;
  group?: { id: string; name: string };
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
}

/** Writes an event of a group, the account or a way to sign in. Call it in the transaction of the change. */
export async function recordEvent(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  happening: Happening,
): Promise<void> {
  await transaction.event.create({ data: eventRow(accountId, actor, happening), select: { id: true } });
}

/** The row of an event that was done to no key. */
export function eventRow(
  accountId: string,
  actor: Actor,
  { action, group, before = {}, after = {} }: Happening,
): Prisma.EventUncheckedCreateInput {
  return {
    accountId,
    id: newObjectId(),
    actor: actor.kind,
    actorName: actor.name,
    address: actor.address,
    action,
    ...(group && { groupId: group.id, groupName: group.name }),
    before,
    after,
  };
}
