-- AlterTable
ALTER TABLE "session" ADD COLUMN     "proved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();

-- Written by hand from here on.

-- A session from before this column has proved nothing since its sign-in.
UPDATE "session" SET "proved_at" = "created_at";
