import { headers } from "next/headers";
import type { NextRequest } from "next/server";
import { failedExport } from "@/app/_csv/failure";
import { fileAnswer } from "@/app/_csv/file-answer";
import { tabulate } from "@/app/_spend/spend-table";
import { CSV_TYPE } from "@/server/csv";
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
    const kind = { name: `usage-${from}-${to}.csv`, type: CSV_TYPE };
    return fileAnswer(csvOf(tabulate(data, { from, to }), by), kind);
  } catch (error) {
    return failedExport(error, "the spend cannot be read; try again later");
  }
}
