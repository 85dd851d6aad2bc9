-- AlterTable
ALTER TABLE "account" ADD COLUMN     "gateway_url" TEXT;
