-- AlterTable
ALTER TABLE "event" ADD COLUMN     "reverts" TEXT;

-- AlterTable
ALTER TABLE "event_key" ADD COLUMN     "after" JSONB;

-- AlterTable
ALTER TABLE "event_key_chunk" ADD COLUMN     "after" JSONB;
