import { Prisma } from "@/prisma/generated/client";
import { limitSelection } from "../limits/columns";
import type { KeyStatus } from "./schema";
import { isExhausted, spendingSelection, today } from "./spending";

const isOn = Prisma.sql`key.revoked_at IS NULL AND key.disabled_at IS NULL`;
const isInTime = Prisma.sql`(key.expiry_date IS NULL OR key.expiry_date >= ${today})`;

/** Which keys have a status. `key` and its `account` are to be joined. */
export const hasStatus: Record<KeyStatus, Prisma.Sql> = {
  active: Prisma.sql`${isOn} AND ${isInTime} AND NOT ${isExhausted}`,
  disabled: Prisma.sql`key.revoked_at IS NULL AND key.disabled_at IS NOT NULL`,
  expired: Prisma.sql`${isOn} AND key.expiry_date < ${today}`,
  exhausted: Prisma.sql`${isOn} AND ${isInTime} AND ${isExhausted}`,
  revoked: Prisma.sql`key.revoked_at IS NOT NULL`,
};

/** A key as it is answered: of the rows `key`, with what `keyRelations` joins. */
export const keySelection = Prisma.sql`key.id AS apikey_id, key.name, key.is_default,
  CASE WHEN ${hasStatus.revoked} THEN 'revoked' WHEN ${hasStatus.disabled} THEN 'disabled'
    WHEN ${hasStatus.expired} THEN 'expired' WHEN ${isExhausted} THEN 'exhausted' ELSE 'active' END AS status,
  key.group_id, api_key_group.name AS group_name, ${limitSelection}, ${spendingSelection},
  floor(extract(epoch FROM key.created_at))::float8 AS created_at, key.version`;

export const keyRelations = Prisma.sql`JOIN account ON account.id = key.account_id
  LEFT JOIN api_key_group ON api_key_group.account_id = key.account_id AND api_key_group.id = key.group_id`;
