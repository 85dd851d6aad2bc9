-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "day" DATE,
ADD COLUMN     "day_held" DECIMAL(38,9) NOT NULL DEFAULT 0,
ADD COLUMN     "day_spent" DECIMAL(38,9) NOT NULL DEFAULT 0,
ADD COLUMN     "held" DECIMAL(38,9) NOT NULL DEFAULT 0,
ADD COLUMN     "held_until" TIMESTAMPTZ(3),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "month" DATE,
ADD COLUMN     "month_held" DECIMAL(38,9) NOT NULL DEFAULT 0,
ADD COLUMN     "month_spent" DECIMAL(38,9) NOT NULL DEFAULT 0,
ADD COLUMN     "spent" DECIMAL(38,9) NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "authorization" (
    "account_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "request_id" TEXT,
    "amount" DECIMAL(25,9) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'held',
    "day" DATE NOT NULL,
    "month" DATE NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),
    "captured" DECIMAL(25,9),
    "overrun" BOOLEAN NOT NULL DEFAULT false,
    "late" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "authorization_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "key_day" (
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "spent" DECIMAL(38,9) NOT NULL,
    "captures" INTEGER NOT NULL,

    CONSTRAINT "key_day_pkey" PRIMARY KEY ("account_id","key_id","day")
);

-- CreateTable
CREATE TABLE "refusal_day" (
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "code" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "refusal_day_pkey" PRIMARY KEY ("account_id","key_id","day","code")
);

-- CreateIndex
CREATE UNIQUE INDEX "authorization_account_id_key_id_request_id_key" ON "authorization"("account_id", "key_id", "request_id");

-- CreateIndex
CREATE INDEX "key_day_account_id_day_idx" ON "key_day"("account_id", "day");

-- Written by hand from here on.

-- Room in each page, so that a counter changes where it stands, without a new entry in every index.
ALTER TABLE "api_key" SET (fillfactor = 70);

ALTER TABLE "api_key" ADD CONSTRAINT "api_key_counters_not_negative" CHECK (
    "spent" >= 0 AND "held" >= 0 AND "day_spent" >= 0 AND "day_held" >= 0 AND "month_spent" >= 0 AND "month_held" >= 0
);

ALTER TABLE "authorization" ADD CONSTRAINT "authorization_id_form" CHECK ("id" ~ '^[0-9a-f]{24}$');
ALTER TABLE "authorization" ADD CONSTRAINT "authorization_state_known" CHECK ("state" IN ('held', 'captured', 'voided', 'expired'));
ALTER TABLE "authorization" ADD CONSTRAINT "authorization_amount_in_range" CHECK ("amount" BETWEEN 0 AND 1e15);
ALTER TABLE "authorization" ADD CONSTRAINT "authorization_captured_once" CHECK (
    ("state" = 'captured') = ("captured" IS NOT NULL) AND ("state" = 'held') = ("settled_at" IS NULL)
);

-- The open holds of a key, the first to expire first. Small: a hold leaves it when it is settled.
CREATE INDEX "authorization_open_idx" ON "authorization"("account_id", "key_id", "expires_at") WHERE "state" = 'held';

-- Every capture, one row each, never changed. Partitions of a day are made ahead and dropped when they are too old
-- (server/authorizations/ledger.ts). The last one is for the day that has no partition of its own.
CREATE TABLE "ledger" (
    "account_id" TEXT NOT NULL,
    "authorization_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "recorded_on" DATE NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "day" DATE NOT NULL,
    "amount" DECIMAL(25,9) NOT NULL,
    "overrun" BOOLEAN NOT NULL,
    "late" BOOLEAN NOT NULL,

    CONSTRAINT "ledger_pkey" PRIMARY KEY ("account_id", "authorization_id", "recorded_on"),
    CONSTRAINT "ledger_amount_in_range" CHECK ("amount" BETWEEN 0 AND 1e15)
) PARTITION BY RANGE ("recorded_on");
CREATE TABLE "ledger_other" PARTITION OF "ledger" DEFAULT;

CREATE FUNCTION "refuse_changing_ledger"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "ledger_append_only" BEFORE UPDATE OR DELETE ON "ledger"
    FOR EACH ROW EXECUTE FUNCTION "refuse_changing_ledger"();
