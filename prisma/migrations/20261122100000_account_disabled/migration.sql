-- AlterTable
ALTER TABLE "account" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "disabled_at" TIMESTAMPTZ(3);

-- Written by hand from here on.

-- What an account has goes before the account itself, part by part. Its ledger and its default key may go, once it is marked.
-- Safe: no account is marked by the version before, so that both functions do there what they did.
CREATE OR REPLACE FUNCTION "refuse_deleting_default_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM account WHERE id = OLD.account_id AND deleted_at IS NOT NULL) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the default key of an account is rotated, never deleted' USING ERRCODE = 'restrict_violation';
END
$$;
-- Safe: no account is marked by the version before.
CREATE OR REPLACE FUNCTION "refuse_changing_ledger"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM account WHERE id = OLD.account_id AND deleted_at IS NOT NULL) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
