-- AlterTable
ALTER TABLE "api_key_group" ADD COLUMN     "apply_defaults" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "default_budget" DECIMAL(25,9),
ADD COLUMN     "default_daily_limit" DECIMAL(25,9),
ADD COLUMN     "default_expiry_date" DATE,
ADD COLUMN     "default_input_price_limit" DECIMAL(25,9),
ADD COLUMN     "default_monthly_limit" DECIMAL(25,9),
ADD COLUMN     "default_output_price_limit" DECIMAL(25,9);

-- Written by hand from here on.

-- NaN counts as larger than every number, so the upper bound keeps it out.
-- Safe: it reads no row, and the old version writes none of these columns.
ALTER TABLE "api_key_group" ADD CONSTRAINT "api_key_group_defaults_in_range" CHECK (
    "default_budget" BETWEEN 0 AND 1e15
    AND "default_daily_limit" BETWEEN 0 AND 1e15
    AND "default_monthly_limit" BETWEEN 0 AND 1e15
    AND "default_input_price_limit" BETWEEN 0 AND 1e15
    AND "default_output_price_limit" BETWEEN 0 AND 1e15
    AND "default_expiry_date" BETWEEN '1000-01-01' AND '9999-12-31'
) NOT VALID;
