-- DropIndex
DROP INDEX "authorization_account_id_key_id_request_id_key";

-- Written by hand from here on.

-- A request has one authorization. Most calls have no request_id, and then there is no entry to write.
CREATE UNIQUE INDEX "authorization_request" ON "authorization"("account_id", "key_id", "request_id") WHERE "request_id" IS NOT NULL;

-- Nothing looks up a line of the ledger. The locked row of the authorization makes a capture count once, and
-- `npm run audit:books` compares every line with its authorization. The index was half of what a capture writes here.
ALTER TABLE "ledger" DROP CONSTRAINT "ledger_pkey";

-- Each capture changes a row of these where it stands: there is room in the page, and dead rows are removed early.
ALTER TABLE "key_day" SET (fillfactor = 80);
ALTER TABLE "api_key" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "authorization" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "key_day" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
