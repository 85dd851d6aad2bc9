-- AlterTable
ALTER TABLE "refusal" ADD COLUMN     "ceiling" DECIMAL(25,9),
ADD COLUMN     "price" DECIMAL(25,9);
