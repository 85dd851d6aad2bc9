-- CreateTable
CREATE TABLE "saved_filter" (
    "account_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "saved_filter_pkey" PRIMARY KEY ("account_id","id")
);

-- AddForeignKey
ALTER TABLE "saved_filter" ADD CONSTRAINT "saved_filter_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Written by hand from here on.

-- The name leads, so that the index does not draw statements that look a filter up by its account and id.
CREATE UNIQUE INDEX "saved_filter_name_in_account" ON "saved_filter"("name", "account_id");

ALTER TABLE "saved_filter" ADD CONSTRAINT "saved_filter_list_known" CHECK ("list" IN ('keys', 'history'));
ALTER TABLE "saved_filter" ADD CONSTRAINT "saved_filter_query_object" CHECK (jsonb_typeof("query") = 'object');
