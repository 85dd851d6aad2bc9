import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { failedExport } from "@/app/_csv/failure";
import { onTurn } from "@/app/_csv/turn";
import { exportEventsInput } from "@/server/history/schema";
import { callerFor } from "@/server/page-caller";

/** All events that match the filters, as a file. The server sends it while reading, so that its size does not matter. */
export async function GET(request: NextRequest): Promise<Response> {
  const input = exportEventsInput.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!input.success) return new Response("the filter is not valid\n", { status: 400 });
  const caller = callerFor(new Headers(await headers()));
  try {
    // The first part shows whether the history can be read, before the status is sent.
    let part = await caller.history.export(input.data);
    const encoder = new TextEncoder();
    let isWanted = true;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(encoder.encode(part.text));
        const { next } = part;
        if (next === null) return controller.close();
        part = await onTurn(
          () => caller.history.export({ ...input.data, after: next }),
          () => isWanted,
        );
      },
      cancel() {
        isWanted = false;
      },
    });
    return new Response(body, {
      headers: {
        "Content-Type": part.type,
        "Content-Disposition": `attachment; filename="${part.name}"`,
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    return failedExport(error, "the history cannot be read; try again later");
  }
}
