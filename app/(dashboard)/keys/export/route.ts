import { setImmediate } from "node:timers/promises";
import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { fileInParts } from "@/app/_csv/file-answer";
import { CSV_TYPE } from "@/server/csv";
import { exportKeysInput } from "@/server/keys/schema";
import { callerFor } from "@/server/page-caller";
import { CSV_HEAD, csvLines } from "./csv";

/** All keys that match the filters, as a CSV file. */
export async function GET(request: NextRequest): Promise<Response> {
  const input = exportKeysInput.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!input.success) return new Response("the filter is not valid\n", { status: 400 });
  const { keys } = callerFor(new Headers(await headers()));
  const { after: _, ...filter } = input.data;
  return fileInParts(async (after) => {
    const { data, next } = await keys.export({ ...filter, after });
    // To write so many lines takes a few milliseconds. Authorizations that have arrived meanwhile go first.
    await setImmediate();
    const text = (after === undefined ? CSV_HEAD : "") + csvLines(data);
    return { text, next, name: "keys.csv", type: CSV_TYPE };
  }, "the keys cannot be read; try again later");
}
