import { Client } from "pg";
import { vi } from "vitest";

/** A statement as it was sent to PostgreSQL. */
export interface SentStatement {
  text?: string;
  values?: unknown[];
}

/** The statements that are sent while something is done. */
export async function sentStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const query = vi.spyOn(Client.prototype, "query");
  try {
    await work();
    return query.mock.calls.map(([config]) => config as unknown as SentStatement);
  } finally {
    query.mockRestore();
  }
}
