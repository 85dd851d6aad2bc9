import Link from "next/link";
import type { ReactNode } from "react";

/** The head of a page: its only `h1`, a sentence, and the actions for the whole page. */
export function PageHeading({
  title,
  description,
  back,
  actions,
}: {
  title: string;
  description?: ReactNode;
  /** The parent page. */
  back?: { href: string; label: string };
  actions?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 flex-1 basis-64">
        {back && (
          <Link
            href={back.href}
            prefetch={false}
            className="mb-2 inline-flex min-h-6 items-center text-[0.8125rem] text-ink-soft underline-offset-4 hover:text-ink hover:underline"
          >
            <span aria-hidden="true">←&nbsp;</span>
            {back.label}
          </Link>
        )}
        <h1
          dir="auto"
          className="text-left text-2xl font-semibold tracking-tight whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {title}
        </h1>
        {description && (
          <p className="mt-1.5 max-w-2xl text-sm leading-relaxed text-ink-soft [overflow-wrap:anywhere]">
            {description}
          </p>
        )}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
