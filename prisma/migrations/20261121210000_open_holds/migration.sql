-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "open_holds" INTEGER NOT NULL DEFAULT 0;

-- Written by hand from here on.

-- The first statement has locked the table, so no authorization comes or goes meanwhile.
UPDATE "api_key" AS key SET "open_holds" = open.count
    FROM (SELECT account_id, key_id, count(*) FROM "authorization" WHERE state = 'held' GROUP BY account_id, key_id) AS open
    WHERE key.account_id = open.account_id AND key.id = open.key_id;
