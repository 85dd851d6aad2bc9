import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { database } from "../testing/database";
import { compareSecret } from "./secret-comparison";

const OURS = "a secret of more than thirty-two characters";
const OTHER = "another secret of more than thirty-two characters";

beforeEach(async () => {
  await database.prisma.verification.deleteMany({ where: { identifier: "auth-secret" } });
});

/** Starts a server with these secrets, and returns what it says in the log. */
async function said(current: string, ...previous: string[]): Promise<string> {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  await compareSecret(database, { current, previous }, log);
  return lines.join("");
}

test("servers with one secret say nothing, and neither does a rotation", async () => {
  expect([await said(OURS), await said(OURS), await said(OTHER, OURS), await said(OURS, OTHER)].join("")).toBe("");
});

test("each server that does not know the secret of the one before says so, and neither secret", async () => {
  await said(OURS);
  for (const secret of [OTHER, OURS]) {
    const line = await said(secret);
    expect(line).toContain("AUTH_SECRET is not that of the server that started last on this database");
    expect(line).not.toContain("thirty-two");
  }
});
