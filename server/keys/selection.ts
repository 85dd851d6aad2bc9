import { Prisma } from "@/prisma/generated/client";
import { limitSelection } from "../limits/columns";
import type { KeyLook, KeyStatus } from "./schema";
import { currentDay, currentMonth, hasLook, hasStatus, left, status, version, windows } from "./state";

/** The condition of each status, of the rows `key` with their `account` joined. */
export function isOfStatus(name: KeyStatus): Prisma.Sql {
  return Prisma.raw(hasStatus[name]);
}

/** The condition of each look, of the rows `key` with their `account` joined. */
export function isOfLook(look: KeyLook): Prisma.Sql {
  return Prisma.raw(`(${hasLook[look]})`);
}

/** What a key spent and has left: yuan, moments in whole seconds since 1970. */
const SPENDING = `key.spent::float8 AS spent,
  ${windows.daily_limit.spent}::float8 AS spent_today,
  ${windows.monthly_limit.spent}::float8 AS spent_this_month,
  ${windows.budget.held}::float8 AS held,
  jsonb_build_object(
    'budget', ${left("budget")}::float8,
    'daily', ${left("daily_limit")}::float8,
    'monthly', ${left("monthly_limit")}::float8
  ) AS available,
  extract(epoch FROM (${currentDay} + 1)::timestamp AT TIME ZONE account.time_zone)::float8 AS daily_resets_at,
  extract(epoch FROM (${currentMonth} + interval '1 month') AT TIME ZONE account.time_zone)::float8 AS monthly_resets_at,
  floor(extract(epoch FROM key.last_used_at))::float8 AS last_used_at`;

/** A key as it is answered: of the rows `key`, with what `keyRelations` joins. */
export const keySelection = Prisma.sql`key.id AS apikey_id, key.name, key.is_default, ${Prisma.raw(status)} AS status,
  key.group_id, api_key_group.name AS group_name, ${limitSelection}, ${Prisma.raw(SPENDING)},
  floor(extract(epoch FROM key.created_at))::float8 AS created_at, ${Prisma.raw(version)} AS version`;

export const keyRelations = Prisma.sql`JOIN account ON account.id = key.account_id
  LEFT JOIN api_key_group ON api_key_group.account_id = key.account_id AND api_key_group.id = key.group_id`;
