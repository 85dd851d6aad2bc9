import type { ReactNode } from "react";
import { BYTE_ORDER_MARK, csvLine } from "@/server/csv";

/** Leads to a CSV file that has the head line alone. */
export function TemplateLink({
  columns,
  fileName,
  children,
}: {
  columns: readonly string[];
  fileName: string;
  children: ReactNode;
}) {
  return (
    <a
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(BYTE_ORDER_MARK + csvLine(columns))}`}
      download={fileName}
      className="inline-flex min-h-6 items-center text-[0.8125rem] text-accent underline underline-offset-4"
    >
      {children}
    </a>
  );
}
