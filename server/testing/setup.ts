import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { temporaryFolder } from "@/e2e/product";
import { superuserUrl } from "@/e2e/superuser";
import { openEmbedded } from "../db/embedded";
import { prepareDatabase } from "../db/privileges";

/** Starts one PostgreSQL for all integration tests. They share its database, and each uses accounts of its own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await temporaryFolder();
  const embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  await prepareDatabase(embedded);
  project.provide("databaseUrl", await superuserUrl(folder.path));
  return async () => {
    await embedded.close();
    await folder.remove();
  };
}
