import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import { contains, nameContains } from "../db/search";
import { findKeyIds, hasText } from "../keys/search-queries";
import { isInGroup } from "../keys/selection";
import { FOR_EACH } from "./event-keys";

// The keys by which a search of the history finds events: those that have its text now, and those that had it before they were
// renamed.

/** From more keys than this, a search reads events from the newest on, and checks each. */
const FEW_KEYS = 3_000;
/** Up to so many moves, and so many renamings, are looked at to know which keys the events of a group may concern. */
const FEW_LOOKED_UP = 10_000;

/** The keys that have the text, and those that had it in a name before; when there are many, only some of them. */
export interface FoundKeys {
  keys: string[];
  formerKeys: string[];
}

export function areMany({ keys, formerKeys }: FoundKeys): boolean {
  return keys.length > FEW_KEYS || formerKeys.length > FEW_KEYS;
}

/** @param groupId when many keys are found, those that no event of this group concerns are left out. */
export async function findKeys(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
  groupId: string | undefined,
): Promise<FoundKeys> {
  const [keys, formerKeys] = await Promise.all([
    findKeyIds(db, accountId, search, FEW_KEYS + 1),
    findFormerKeys(db, accountId, search),
  ]);
  const found = { keys, formerKeys };
  if (groupId === undefined || !areMany(found)) return found;
  return (await findKeysOfGroup(db, accountId, search, groupId)) ?? found;
}

/** `SELECT key_id …` of the keys that had a name with the text, and were renamed. */
const formerKeysOf = (accountId: AccountId, search: string) => Prisma.sql`
  SELECT key_id FROM event_key
  WHERE account_id = ${accountId} AND before ? 'name' AND ${nameContains(Prisma.sql`key_name`, search)}`;

async function findFormerKeys(db: Pick<Database, "prisma">, accountId: AccountId, search: string): Promise<string[]> {
  const query = db.prisma.$queryRaw<{ key_id: string }[]>`${formerKeysOf(accountId, search)} LIMIT ${FEW_KEYS + 1}`;
  return (await readLarge(db, query)).map(({ key_id }) => key_id);
}

/**
 * The same of the keys that an event of a group may concern. Such a key is in the group, or it was moved since: each move is an
 * event. Undefined where too many would be looked at, and for a deleted group, which revoked keys left without an event.
 */
async function findKeysOfGroup(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
  groupId: string,
): Promise<FoundKeys | undefined> {
  const ofAccount = Prisma.sql`account_id = ${accountId}`;
  const keyHasText = Prisma.join(hasText(search), " AND ");
  const query = db.prisma.$queryRaw<{ keys: string[]; former_keys: string[] }[]>`
    WITH moved AS MATERIALIZED (
      SELECT its_key.id FROM event AS move CROSS JOIN LATERAL (
        SELECT key_id AS id FROM event_key WHERE ${ofAccount} AND event_id = move.id
        UNION ALL SELECT unnest(key_ids) FROM event_key_chunk WHERE ${ofAccount} AND event_id = move.id
      ) AS its_key
      WHERE move.account_id = ${accountId} AND move.action = 'key.moved' LIMIT ${FEW_LOOKED_UP + 1}
    ), former AS MATERIALIZED (
      ${formerKeysOf(accountId, search)} LIMIT ${FEW_LOOKED_UP + 1}
    ), found AS (
      SELECT key.id FROM api_key key
      WHERE ${isInGroup(accountId, groupId)} AND ${keyHasText}
      UNION ALL
      SELECT key.id FROM (SELECT DISTINCT id FROM moved) AS moved CROSS JOIN LATERAL (
        SELECT * FROM api_key WHERE ${ofAccount} AND id = moved.id LIMIT 1
      ) AS key
      WHERE ${keyHasText}
    )
    SELECT ARRAY(SELECT id FROM found LIMIT ${FEW_KEYS + 1}) AS keys,
      ARRAY(SELECT key_id FROM former
        WHERE key_id IN (SELECT id FROM moved)
          OR (SELECT group_id FROM api_key WHERE ${ofAccount} AND id = key_id) = ${groupId}
        LIMIT ${FEW_KEYS + 1}) AS former_keys
    WHERE (SELECT count(*) FROM moved) <= ${FEW_LOOKED_UP} AND (SELECT count(*) FROM former) <= ${FEW_LOOKED_UP}
      AND EXISTS (SELECT FROM api_key_group WHERE ${ofAccount} AND id = ${groupId})`;
  const [found] = await readLarge(db, query);
  return found && { keys: found.keys, formerKeys: found.former_keys };
}

/** The condition of an event that a key got a name with the text. */
export const isToText = (search: string) =>
  Prisma.sql`(action = 'key.renamed' AND ${nameContains(Prisma.sql`(after ->> 'name')`, search)})`;

/** The ids of some of these events, no more than `most`. */
export async function findRenamings(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
  most: number,
): Promise<string[]> {
  const query = db.prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM event WHERE account_id = ${accountId} AND ${isToText(search)} LIMIT ${most}`;
  return (await readLarge(db, query)).map(({ id }) => id);
}

/**
 * `SELECT key_id …` of the keys that got a name with the text, and have the text now. Events have the names of then; all other
 * keys still have these.
 */
export const renamedKeys = (accountId: AccountId, search: string) => Prisma.sql`
  SELECT its_key.key_id FROM event AS renaming CROSS JOIN LATERAL (
    SELECT key_id FROM event_key WHERE account_id = ${accountId} AND event_id = renaming.id ${FOR_EACH}
  ) AS its_key
  WHERE renaming.account_id = ${accountId} AND ${isToText(search)} AND (
    SELECT ${contains(Prisma.sql`key.search_text`, search)} FROM api_key key
    WHERE key.account_id = ${accountId} AND key.id = its_key.key_id
  )`;

export async function findRenamedKeys(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
): Promise<string[]> {
  const query = db.prisma.$queryRaw<{ key_id: string }[]>`
    SELECT DISTINCT key_id FROM (${renamedKeys(accountId, search)}) AS found`;
  return (await readLarge(db, query)).map(({ key_id }) => key_id);
}
