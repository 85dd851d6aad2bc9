import { type ReactNode, useId } from "react";

/** A part of a page with a heading and a border. It takes the focus of what leaves it, as a message with a button does. */
export function Section({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} tabIndex={-1} className="rounded-xl border border-line bg-raised outline-none">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pt-4 pb-3">
        <div className={`min-w-0 flex-1 ${description ? "basis-64" : "basis-32"}`}>
          <h2 id={id} className="text-[0.9375rem] font-semibold">
            {title}
          </h2>
          {description && (
            <p className="mt-1 max-w-2xl text-sm leading-relaxed text-pretty text-ink-soft">{description}</p>
          )}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {/* Without content, the room below the header is that of the sides. */}
      <div className="px-5 pb-5 not-has-[>:not(dialog)]:pb-2">{children}</div>
    </section>
  );
}
