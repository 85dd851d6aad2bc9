import type { ReactNode } from "react";
import { Mark } from "./mark";

/** A page with little text: the logo, one heading, and a narrow column. */
export function PlainPage({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <main className="mx-auto w-full max-w-xl px-5 py-16 sm:px-8 sm:py-28">
      <Mark className="size-10" />
      <h1 className="mt-8 text-3xl font-semibold tracking-tight">{heading}</h1>
      {children}
    </main>
  );
}
