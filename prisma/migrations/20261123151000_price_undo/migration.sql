-- AlterTable
ALTER TABLE "operator_price_event" ADD COLUMN     "os_user" TEXT;

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "models" TEXT;
