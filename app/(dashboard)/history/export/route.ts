import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { fileInParts } from "@/app/_csv/file-answer";
import { exportEventsInput } from "@/server/history/schema";
import { callerFor } from "@/server/page-caller";

/** All events that match the filters, as a file. */
export async function GET(request: NextRequest): Promise<Response> {
  const input = exportEventsInput.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!input.success) return new Response("the filter is not valid\n", { status: 400 });
  const { history } = callerFor(new Headers(await headers()));
  return fileInParts(
    (after) => history.export(after === undefined ? input.data : { ...input.data, after }),
    "the history cannot be read; try again later",
  );
}
