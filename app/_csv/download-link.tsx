"use client";

import type { ReactNode } from "react";
import { useDownload } from "./use-download";

const STYLE =
  "inline-flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-[13px] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10";

/** A link to a file. When the file cannot be had, the page says why. */
export function DownloadLink({
  href,
  className = STYLE,
  children,
}: {
  href: string;
  className?: string;
  children: ReactNode;
}) {
  const download = useDownload();
  return (
    <a
      href={href}
      download
      onClick={(event) => {
        event.preventDefault();
        void download(href);
      }}
      className={className}
    >
      {children}
    </a>
  );
}
