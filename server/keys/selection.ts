import { Prisma } from "../../prisma/generated/client";
import { limitSelection } from "../limits/columns";
import type { KeyStatus } from "./schema";

/** The day it is in the account's zone, by the database's clock. */
const today = Prisma.sql`(now() AT TIME ZONE account.time_zone)::date`;

/** Which keys have a status. `key` and its `account` are to be joined. */
export const hasStatus: Record<KeyStatus, Prisma.Sql> = {
  active: Prisma.sql`key.revoked_at IS NULL AND key.disabled_at IS NULL
    AND (key.expiry_date IS NULL OR key.expiry_date >= ${today})`,
  disabled: Prisma.sql`key.revoked_at IS NULL AND key.disabled_at IS NOT NULL`,
  expired: Prisma.sql`key.revoked_at IS NULL AND key.disabled_at IS NULL AND key.expiry_date < ${today}`,
  revoked: Prisma.sql`key.revoked_at IS NOT NULL`,
};

/** A key as it is answered: of the rows `key`, with what `keyRelations` joins. */
export const keySelection = Prisma.sql`key.id AS apikey_id, key.name, key.is_default,
  CASE WHEN ${hasStatus.revoked} THEN 'revoked' WHEN ${hasStatus.disabled} THEN 'disabled'
    WHEN ${hasStatus.expired} THEN 'expired' ELSE 'active' END AS status,
  key.group_id, api_key_group.name AS group_name, ${limitSelection},
  floor(extract(epoch FROM key.created_at))::float8 AS created_at, key.version`;

export const keyRelations = Prisma.sql`JOIN account ON account.id = key.account_id
  LEFT JOIN api_key_group ON api_key_group.account_id = key.account_id AND api_key_group.id = key.group_id`;
