-- A row that each process writes to find out whether the database takes writes.
CREATE TABLE "readiness" (
    "id" INTEGER NOT NULL,
    "probed_at" TIMESTAMPTZ(3),
    "padding" TEXT,

    CONSTRAINT "readiness_pkey" PRIMARY KEY ("id")
);

-- Otherwise PostgreSQL would compress the padding to nothing.
ALTER TABLE "readiness" ALTER COLUMN "padding" SET STORAGE PLAIN;
