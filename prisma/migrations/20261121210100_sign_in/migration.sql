-- DropIndex
DROP INDEX "sign_in_method_account_id_provider_id_subject_key";

-- AlterTable
ALTER TABLE "two_factor" ADD COLUMN     "accepted_step" INTEGER;

-- Written by hand from here on.

-- A second identity of the same provider opened an account by its email alone, while nobody was signed in. The first one
-- stays. The index is created after the others are gone.
DELETE FROM "sign_in_method" later USING "sign_in_method" first
WHERE later.account_id = first.account_id AND later.provider_id = first.provider_id
  AND (first.created_at, first.id) < (later.created_at, later.id);

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_method_account_id_provider_id_key" ON "sign_in_method"("account_id", "provider_id");

-- The cookies keep the tokens, so nobody is signed out.
UPDATE "session" SET token = encode(sha256(convert_to(token, 'UTF8')), 'hex');

-- Sessions end after some idle days from now on. The days of those that exist begin now.
UPDATE "session" SET expires_at = least(expires_at, now() + interval '7 days');

-- Devices that skip the second factor, and second factors that are asked for at this moment.
DELETE FROM "verification" WHERE identifier LIKE 'trust-device-%' OR identifier LIKE '2fa-%';

-- The sign-ins that were refused count for an email and a network together from now on.
DELETE FROM "rate_limit" WHERE key LIKE 'sign-in as %';
