-- DropIndex
DROP INDEX "api_key_account_id_group_id_revoked_at_idx";

-- DropIndex
DROP INDEX "key_secret_account_id_key_id_idx";

-- DropIndex
DROP INDEX "api_key_group_account_id_name_key";

-- CreateIndex
CREATE INDEX "key_secret_key_id_account_id_idx" ON "key_secret"("key_id", "account_id");

-- Written by hand from here on.

-- Beside the primary key, PostgreSQL can use no index to look up one row by the account alone. While a table is small, all
-- its indexes look equally cheap. It would take such an index, read every row of the account, and keep the plan while the
-- table grows. docs/decisions/plans.md has the measurements.

-- Finds a group's keys, and counts those not revoked without touching the table.
CREATE INDEX "api_key_of_group" ON "api_key"("group_id", "account_id", "revoked_at") WHERE "group_id" IS NOT NULL;

-- The name of a group is unique in its account. The id of an account has a fixed length, so two pairs never make one text.
CREATE UNIQUE INDEX "api_key_group_name_in_account" ON "api_key_group"(("account_id" || "name"));
