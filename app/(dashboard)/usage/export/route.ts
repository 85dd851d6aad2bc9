import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { failedExport } from "@/app/_csv/failure";
import { tabulate } from "@/app/_spend/spend-table";
import { callerFor } from "@/server/page-caller";
import { usageInput } from "@/server/usage/schema";
import { csvOf } from "./csv";

/** The figures of the page of usage as a CSV file. */
export async function GET(request: NextRequest): Promise<Response> {
  const input = usageInput.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!input.success) return new Response("the range or the group is not valid\n", { status: 400 });
  const { from, to, by } = input.data;
  try {
    const { data } = await callerFor(new Headers(await headers())).usage.account(input.data);
    return new Response(csvOf(tabulate(data, { from, to }), by), {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="usage-${from}-${to}.csv"`,
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    return failedExport(error, "the spend cannot be read; try again later");
  }
}
