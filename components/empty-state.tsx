import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon";

/**
 * Stands in place of an empty list. It says what is missing, and offers the first action. Screen readers announce it when a filter has
 * left nothing.
 */
export function EmptyState({
  icon,
  title,
  children,
  action,
  link,
}: {
  icon: IconName;
  title: string;
  /** One sentence. */
  children: ReactNode;
  action?: ReactNode;
  link?: { href: string; label: string };
}) {
  return (
    <div className="flex flex-col items-center rounded-xl border border-dashed border-line px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-panel text-ink-soft">
        <Icon name={icon} className="size-5" />
      </span>
      <div role="status" className="mt-4 grid justify-items-center">
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="mt-1.5 max-w-sm text-sm leading-relaxed text-pretty text-ink-soft">{children}</p>
      </div>
      {(action || link) && (
        <div className="mt-5 flex flex-wrap items-center justify-center gap-x-5 gap-y-3">
          {action}
          {link && (
            <a href={link.href} className="text-sm text-accent underline underline-offset-4">
              {link.label}
            </a>
          )}
        </div>
      )}
    </div>
  );
}
