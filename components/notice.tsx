"use client";

import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon";

const TONES: Record<"info" | "good" | "warn" | "danger", { icon: IconName; colour: string }> = {
  info: { icon: "info", colour: "text-accent" },
  good: { icon: "check", colour: "text-good" },
  warn: { icon: "alert", colour: "text-warn" },
  danger: { icon: "alert", colour: "text-danger" },
};

/** A message in the page or in a dialog. Screen readers announce `danger` at once, and it scrolls into view. */
export function Notice({
  tone,
  title,
  action,
  children,
}: {
  tone: keyof typeof TONES;
  title?: string;
  /** A button or a link. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { icon, colour } = TONES[tone];
  return (
    <div
      ref={tone === "danger" ? bringIntoView : undefined}
      role={tone === "danger" ? "alert" : "status"}
      className="relative flex flex-wrap gap-x-3 gap-y-2 overflow-hidden rounded-lg border border-line bg-raised px-3.5 py-3 text-sm text-ink"
    >
      <span aria-hidden="true" className={`absolute inset-y-0 left-0 w-1 bg-current ${colour}`} />
      <Icon name={icon} className={`mt-0.5 size-4 ${colour}`} />
      <div className="min-w-0 flex-1 basis-0 leading-relaxed [overflow-wrap:anywhere]">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className={title ? "text-ink-soft" : ""}>{children}</div>}
      </div>
      {action && <div className="shrink-0 self-center max-sm:w-full max-sm:pl-7">{action}</div>}
    </div>
  );
}

/** In a long dialog it may stand above the visible part. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
