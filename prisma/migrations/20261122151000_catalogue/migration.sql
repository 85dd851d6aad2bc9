-- AlterTable
ALTER TABLE "event" ADD COLUMN     "prices" JSONB;
