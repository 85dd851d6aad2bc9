-- AlterTable
ALTER TABLE "account" ADD COLUMN     "prices_version" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "account_price" (
    "account_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "aliases" TEXT[],
    "currency" TEXT NOT NULL DEFAULT 'CNY',
    "rate" DECIMAL(25,9) NOT NULL DEFAULT 1,
    "input_price" DECIMAL(25,9) NOT NULL,
    "output_price" DECIMAL(25,9) NOT NULL,
    "cached_input_price" DECIMAL(25,9),
    "max_output_tokens" INTEGER,
    "valid_from" DATE NOT NULL DEFAULT '1970-01-01'::date,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "account_price_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "operator_price" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "aliases" TEXT[],
    "currency" TEXT NOT NULL DEFAULT 'CNY',
    "rate" DECIMAL(25,9) NOT NULL DEFAULT 1,
    "input_price" DECIMAL(25,9) NOT NULL,
    "output_price" DECIMAL(25,9) NOT NULL,
    "cached_input_price" DECIMAL(25,9),
    "max_output_tokens" INTEGER,
    "valid_from" DATE NOT NULL DEFAULT '1970-01-01'::date,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "operator_price_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_catalogue" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "prices_version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "operator_catalogue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_price_event" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "actor_name" TEXT NOT NULL,
    "changes" JSONB NOT NULL,

    CONSTRAINT "operator_price_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_price_account_id_name_valid_from_key" ON "account_price"("account_id", "name", "valid_from");

-- CreateIndex
CREATE UNIQUE INDEX "operator_price_name_valid_from_key" ON "operator_price"("name", "valid_from");

-- AddForeignKey
ALTER TABLE "account_price" ADD CONSTRAINT "account_price_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Written by hand from here on.

ALTER TABLE "account_price" ADD CONSTRAINT "account_price_rate_positive" CHECK ("rate" > 0 AND "rate" <> 'NaN');
ALTER TABLE "account_price" ADD CONSTRAINT "account_price_prices_known" CHECK (
  "input_price" BETWEEN 0 AND 1e15 AND "output_price" BETWEEN 0 AND 1e15 AND ("cached_input_price" IS NULL OR "cached_input_price" BETWEEN 0 AND 1e15));
ALTER TABLE "operator_price" ADD CONSTRAINT "operator_price_rate_positive" CHECK ("rate" > 0 AND "rate" <> 'NaN');
ALTER TABLE "operator_price" ADD CONSTRAINT "operator_price_prices_known" CHECK (
  "input_price" BETWEEN 0 AND 1e15 AND "output_price" BETWEEN 0 AND 1e15 AND ("cached_input_price" IS NULL OR "cached_input_price" BETWEEN 0 AND 1e15));

ALTER TABLE "operator_catalogue" ADD CONSTRAINT "operator_catalogue_one_row" CHECK ("id" = 1);
INSERT INTO "operator_catalogue" ("id") VALUES (1);

-- An array of Prisma may be NULL; names of a model may not be unknown.
ALTER TABLE "account_price" ALTER COLUMN "aliases" SET NOT NULL, ALTER COLUMN "aliases" SET DEFAULT '{}';
ALTER TABLE "operator_price" ALTER COLUMN "aliases" SET NOT NULL, ALTER COLUMN "aliases" SET DEFAULT '{}';
