import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fingerprint } from "@/clients/document.mjs";
import { typescriptTypes } from "@/clients/typescript-types.mjs";
import { apiDocument } from "@/server/rest/openapi";

const ADVICE = "the clients are not those of this document: npm run clients";

test("the TypeScript client is generated from the document", async () => {
  const isCurrent =
    (await typescriptTypes(await apiDocument())) === readFileSync("clients/typescript/schema.ts", "utf8");
  expect(isCurrent, ADVICE).toBe(true);
}, 60_000);

test("the Python client is generated from the document", async () => {
  expect(readFileSync("clients/python/document.sha256", "utf8"), ADVICE).toBe(fingerprint(await apiDocument()));
});
