import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { fileInParts } from "@/app/_csv/file-answer";
import { callerFor } from "@/server/page-caller";
import { exportTotalsInput } from "@/server/usage/schema";

/** What every group or key spent, as a CSV file. */
export async function GET(request: NextRequest): Promise<Response> {
  const input = exportTotalsInput.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!input.success) return new Response("the range or the group is not valid\n", { status: 400 });
  const { usage } = callerFor(new Headers(await headers()));
  return fileInParts(
    (after) => usage.exportTotals(after === undefined ? input.data : { ...input.data, after }),
    "the spend cannot be read; try again later",
  );
}
