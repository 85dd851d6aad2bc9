import { NextRequest } from "next/server";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { GET as exportHistory } from "@/app/(dashboard)/history/export/route";
import { CSV_HEAD } from "@/app/(dashboard)/keys/export/csv";
import { GET as exportKeys } from "@/app/(dashboard)/keys/export/route";
import { GET as exportTotals } from "@/app/(dashboard)/usage/export/all/route";
import { providePageCaller } from "@/server/page-caller";

vi.mock("next/headers", () => ({ headers: async () => new Headers() }));

const read = vi.fn();
const tooMuchAtOnce = { code: "TOO_MANY_REQUESTS" };
const part = (text: string, next: string | null) => ({ text, next, data: [], type: "text/csv", name: "part.csv" });

beforeEach(() => {
  read.mockReset();
  providePageCaller(
    () => ({ history: { export: read }, keys: { export: read }, usage: { exportTotals: read } }) as never,
  );
});

describe.each([
  ["the history", exportHistory, "/history/export?format=csv", "one\ntwo\n"],
  // The rows of this file are written by its route, and here there are none.
  ["keys", exportKeys, "/keys/export", CSV_HEAD],
  ["totals", exportTotals, "/usage/export/all?from=2026-11-01&to=2026-11-02&by=key", "one\ntwo\n"],
])("a file of %s", (_, get, path, whole) => {
  const ask = () => get(new NextRequest(new URL(path, "http://localhost")));

  test("is 429 where too much is under way at once", async () => {
    read.mockRejectedValue(tooMuchAtOnce);
    const answer = await ask();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
  });

  test("waits for the turn of its next part", async () => {
    read
      .mockResolvedValueOnce(part("one\n", "sk-0000001"))
      .mockRejectedValueOnce(tooMuchAtOnce)
      .mockResolvedValueOnce(part("two\n", null));
    const answer = await ask();
    expect([answer.status, await answer.bytes().then((bytes) => Buffer.from(bytes).toString())]).toEqual([200, whole]);
    expect(read).toHaveBeenCalledTimes(3);
  });
});
