-- CreateTable
CREATE TABLE "refusal" (
    "account_id" TEXT NOT NULL,
    "recorded_on" DATE NOT NULL DEFAULT ((now() AT TIME ZONE 'UTC'::text))::date,
    "key_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "amount" DECIMAL(25,9) NOT NULL,
    "request_id" TEXT,
    "gateway" TEXT,

    CONSTRAINT "refusal_pkey" PRIMARY KEY ("account_id","recorded_on","key_id","id")
);

-- Written by hand from here on.

ALTER TABLE "refusal" ADD CONSTRAINT "refusal_id_form" CHECK ("id" ~ '^[0-9a-f]{24}$');
