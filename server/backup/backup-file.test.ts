import { expect, test } from "vitest";
import { BackupError, type BackupHeader, BackupReader, BackupWriter } from "./backup-file";

const HEADER: BackupHeader = {
  format: "allowance-backup",
  version: 1,
  made_at: "2026-11-21T00:00:00.000Z",
  migrations: [{ name: "first", checksum: "00" }],
  auth_secret: null,
};

const TABLES = [
  { table: "empty", columns: ["id"], rows: [] },
  { table: "account", columns: ["id", "name"], rows: ["1\tAda", "2\t\\\\.", "3\t\\N", "4\t知识库 \\t"] },
  { table: "api_key", columns: ["id"], rows: ["{}", ""] },
];

function written(): Buffer {
  const writer = new BackupWriter();
  const pieces = [writer.header(HEADER)];
  for (const { rows, ...table } of TABLES) {
    pieces.push(writer.table(table), ...rows.map((row) => writer.copied(Buffer.from(`${row}\n`))), writer.endOfTable());
  }
  return Buffer.concat([...pieces, writer.trailer()]);
}

async function* inPieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

async function read(text: Buffer, size = 16) {
  const reader = new BackupReader(inPieces(text, size));
  const header = await reader.header();
  const tables = [];
  for (let table = await reader.table(); table; table = await reader.table()) {
    const pieces = [];
    for await (const piece of reader.copied()) {
      expect(piece.at(-1)).toBe(10);
      pieces.push(piece);
    }
    tables.push({ ...table, rows: Buffer.concat(pieces).toString().split("\n").slice(0, -1) });
  }
  return { header, tables, rows: reader.rows };
}

test.each([1, 2, 3, 7, 64, 100_000])("what was written is read again, in pieces of %i bytes", async (size) => {
  expect(await read(written(), size)).toEqual({ header: HEADER, tables: TABLES, rows: 6 });
});

test("a file that is cut off anywhere is refused", async () => {
  const text = written();
  for (let length = 0; length < text.length; length++) {
    await expect(read(text.subarray(0, length)), `${length}`).rejects.toBeInstanceOf(BackupError);
  }
});

test("a file with one byte changed anywhere is refused", async () => {
  const text = written();
  for (let at = 0; at < text.length; at++) {
    const changed = Buffer.from(text);
    changed[at] = (changed[at] as number) ^ 1;
    const outcome = await read(changed).catch((error) => error);
    expect(outcome, `${at}`).toBeInstanceOf(BackupError);
  }
});

test("a file that goes on after its end is refused", async () => {
  await expect(read(Buffer.concat([written(), Buffer.from("x")]))).rejects.toThrow("it goes on after its end");
});

test("other files, and newer formats, are told apart", async () => {
  await expect(read(Buffer.from("{}\n"))).rejects.toThrow("this is no backup");
  const newer = Buffer.from(`${JSON.stringify({ ...HEADER, version: 2 })}\n`);
  await expect(read(newer)).rejects.toThrow("a format that this version does not know");
});
