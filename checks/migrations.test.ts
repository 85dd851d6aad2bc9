import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hazards } from "./migrations";

/**
 * The last migration from before this rule. Two of those before it would have disturbed an older version beside them:
 * `open_holds` (a counter that the older version does not keep) and `sign_in` (session tokens are stored hashed). There is
 * no release that is older.
 */
const BEFORE_THE_RULE = "20261121210400_roles";

test("the old version can go on while a migration is applied, and after it", () => {
  const newer = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name) && name > BEFORE_THE_RULE);
  const found = newer.map((name) => [name, hazards(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8"))]);
  expect(Object.fromEntries(found.filter(([, list]) => list?.length))).toEqual({});
});

describe("harmless", () => {
  test.each([
    'CREATE TABLE "label" ("id" TEXT NOT NULL); CREATE UNIQUE INDEX "label_id" ON "label"("id");',
    'CREATE TABLE "label" ("id" TEXT); ALTER TABLE "label" ADD CONSTRAINT "form" CHECK ("id" <> \'\'); INSERT INTO "label" VALUES (\'a;b\');',
    'ALTER TABLE "api_key" ADD COLUMN     "label" TEXT;',
    'ALTER TABLE "api_key" ADD COLUMN "label" TEXT,\nADD COLUMN "labels" INTEGER NOT NULL DEFAULT 0,\nADD COLUMN "spent" DECIMAL(38,9) NOT NULL DEFAULT 0;',
    'ALTER TABLE "session" ADD COLUMN "proved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();',
    'CREATE INDEX CONCURRENTLY "labels" ON "api_key"("label");\nALTER TABLE "api_key" VALIDATE CONSTRAINT "label_form";',
    'CREATE FUNCTION "two"() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DROP TABLE "a"; RETURN 2; END $$;',
    '-- Safe: the last version that reads it is 0.3.\nALTER TABLE "api_key" DROP COLUMN "label";',
  ])("%s", (sql) => expect(hazards(sql)).toEqual([]));
});

describe("a hazard", () => {
  test.each([
    ['ALTER TABLE "api_key" DROP COLUMN "name";', "drop it one release after"],
    ['DROP TABLE "event";', "drop it one release after"],
    ['ALTER TABLE "api_key" RENAME COLUMN "name" TO "title";', "old name"],
    ['CREATE TABLE "a" ("id" TEXT); ALTER TABLE "a" RENAME TO "event";', "old name"],
    ['ALTER TABLE "api_key" ALTER COLUMN "name" SET NOT NULL;', "NULL"],
    ['ALTER TABLE "api_key" ALTER COLUMN "budget" TYPE TEXT;', "anew"],
    ['ALTER TABLE "api_key" ADD COLUMN "label" TEXT NOT NULL;', "DEFAULT"],
    ['ALTER TABLE "api_key" ADD COLUMN "at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp();', "DEFAULT"],
    ['ALTER TABLE "api_key" ADD COLUMN "label" TEXT GENERATED ALWAYS AS (upper("name")) STORED;', "anew"],
    ['ALTER TABLE "api_key" ADD COLUMN "label" TEXT UNIQUE;', "reads the whole table"],
    ['ALTER TABLE "api_key" ADD COLUMN "label" TEXT, DROP COLUMN "name";', "drop it"],
    ['ALTER TABLE "api_key" ADD CONSTRAINT "form" CHECK ("name" <> \'\');', "reads the whole table"],
    ['CREATE INDEX "labels" ON "api_key"("label");', "CONCURRENTLY"],
    [
      'ALTER TABLE "api_key" ADD COLUMN "label" TEXT; CREATE INDEX CONCURRENTLY "labels" ON "api_key"("label");',
      "of its own",
    ],
    ['CREATE UNIQUE INDEX CONCURRENTLY "labels" ON "api_key"("label");', "refuses"],
    ['UPDATE "session" SET token = upper(token);', "locked"],
    ['CREATE TRIGGER "t" AFTER INSERT ON "api_key" FOR EACH ROW EXECUTE FUNCTION "f"();', "runs it too"],
    ['LOCK TABLE "api_key";', "does not know"],
    ["DO $$ BEGIN PERFORM f(); END $$;", "does not know"],
    ['-- Safe: yes\nDROP TABLE "event";', "drop it"],
    ['-- Safe: the last version that reads it is 0.3.\n\nDROP TABLE "event";', "drop it"],
    ['-- Safe: the last version that reads it is 0.3.\nDROP TABLE "a"; DROP TABLE "b";', "drop it"],
  ])("%s", (sql, reason) => expect(hazards(sql)).toMatchObject([{ reason: expect.stringContaining(reason) }]));
});

test("the check finds what disturbed in the migrations before it", () => {
  const found = (name: string) =>
    hazards(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8")).map(({ statement }) => statement);
  expect(found("20261121210000_open_holds")).toEqual([expect.stringMatching(/^UPDATE "api_key"/)]);
  expect(found("20261121210100_sign_in")).toContainEqual(expect.stringMatching(/^UPDATE "session"/));
  expect(found("20261121210300_gateways")).toEqual([]);
});
