import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { dataFolder, makeTemplate } from "@/e2e/data-folder";
import { superuserUrl } from "@/e2e/superuser";
import { openEmbedded } from "../db/embedded";

/** Starts one PostgreSQL for all integration tests. They share its database, and each uses accounts of its own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const template = await makeTemplate();
  const folder = await dataFolder();
  const embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
  project.provide("databaseUrl", await superuserUrl(folder.path));
  return async () => {
    await embedded.close();
    await folder.remove();
    await template.remove();
  };
}
