-- AlterTable
ALTER TABLE "event" ADD COLUMN     "reverts" TEXT;
