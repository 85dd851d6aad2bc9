-- AlterTable
ALTER TABLE "event" ADD COLUMN     "request" JSONB;
