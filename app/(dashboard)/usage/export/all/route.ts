import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { failedExport } from "@/app/_csv/failure";
import { onTurn } from "@/app/_csv/turn";
import { callerFor } from "@/server/page-caller";
import { exportTotalsInput } from "@/server/usage/schema";

/** What every group or key spent, as a CSV file. The server sends it while reading, so that its size does not matter. */
export async function GET(request: NextRequest): Promise<Response> {
  const input = exportTotalsInput.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!input.success) return new Response("the range or the group is not valid\n", { status: 400 });
  const { usage } = callerFor(new Headers(await headers()));
  try {
    // The first part shows whether the spend can be read, before the status is sent.
    let part = await usage.exportTotals(input.data);
    const encoder = new TextEncoder();
    let isWanted = true;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(encoder.encode(part.text));
        if (part.next === null) return controller.close();
        const after = part.next;
        part = await onTurn(
          () => usage.exportTotals({ ...input.data, after }),
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
    return failedExport(error, "the spend cannot be read; try again later");
  }
}
