-- DropIndex
DROP INDEX "authorization_account_id_key_id_request_id_key";

-- Written by hand from here on.

-- A request has one authorization. Most calls have no request_id, and then there is no entry to write.
CREATE UNIQUE INDEX "authorization_request" ON "authorization"("account_id", "key_id", "request_id") WHERE "request_id" IS NOT NULL;

-- Nothing looks up a line of the ledger. The locked row of the authorization makes a capture count once, and
-- `npm run audit:books` compares every line with its authorization. The index was half of what a capture writes here.
ALTER TABLE "ledger" DROP CONSTRAINT "ledger_pkey";
