import { setImmediate } from "node:timers/promises";
import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { failedExport } from "@/app/_csv/failure";
import { onTurn } from "@/app/_csv/turn";
import { exportKeysInput } from "@/server/keys/schema";
import { callerFor } from "@/server/page-caller";
import { CSV_HEAD, csvLines } from "./csv";

/** All keys that match the filters, as a CSV file. The server sends it while reading, so that its size does not matter. */
export async function GET(request: NextRequest): Promise<Response> {
  const input = exportKeysInput.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!input.success) return new Response("the filter is not valid\n", { status: 400 });
  const caller = callerFor(new Headers(await headers()));
  const { after: _, ...filter } = input.data;
  try {
    // The first chunk shows whether the keys can be read, before the status is sent.
    let chunk = await caller.keys.export(filter);
    const encoder = new TextEncoder();
    let isFirst = true;
    let isWanted = true;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        // To write so many lines takes a few milliseconds. Authorizations that have arrived meanwhile go first.
        await setImmediate();
        controller.enqueue(encoder.encode((isFirst ? CSV_HEAD : "") + csvLines(chunk.data)));
        isFirst = false;
        const { next } = chunk;
        if (next === null) return controller.close();
        chunk = await onTurn(
          () => caller.keys.export({ ...filter, after: next }),
          () => isWanted,
        );
      },
      cancel() {
        isWanted = false;
      },
    });
    return new Response(body, {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="keys.csv"',
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    return failedExport(error, "the keys cannot be read; try again later");
  }
}
