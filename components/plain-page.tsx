import type { ReactNode } from "react";
import { Mark } from "./mark";

/** A page with little text: the logo, one heading, and a narrow column. @param corner stands beside the logo. */
export function PlainPage({ heading, corner, children }: { heading: string; corner?: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto w-full max-w-xl px-5 py-16 sm:px-8 sm:py-28">
      <div className="flex max-w-sm flex-wrap items-center justify-between gap-3">
        <Mark className="size-10" />
        {corner}
      </div>
      <h1 className="mt-8 text-3xl font-semibold tracking-tight">{heading}</h1>
      {children}
    </main>
  );
}
