import { mkdtemp, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shortenLog } from "./postmaster";

test("a log of more than 16 MB is emptied, while who has it open writes on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "allowance-"));
  const cluster = { directory: join(folder, "postgres") };
  const file = join(folder, "postgres.log");
  const log = await open(file, "a", 0o600);
  try {
    await log.write("LOG:  checkpoint complete\n");
    expect(await shortenLog(cluster)).toBe(false);
    await log.truncate(17 * 1024 * 1024);
    expect(await shortenLog(cluster)).toBe(true);
    await log.write("LOG:  written after that\n");
    expect(await readFile(file, "utf8")).toBe("LOG:  written after that\n");
    const { size, mode } = await stat(`${file}.1`);
    expect({ size, mode: mode & 0o777 }).toEqual({ size: 17 * 1024 * 1024, mode: 0o600 });
    expect(await shortenLog(cluster)).toBe(false);
    expect(await readdir(folder)).toEqual(["postgres.log", "postgres.log.1"]);
  } finally {
    await log.close();
    await rm(folder, { recursive: true });
  }
});
