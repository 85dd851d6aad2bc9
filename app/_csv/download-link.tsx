"use client";

import type { ReactNode } from "react";
import { useAttempt } from "@/components/use-attempt";
import { useDownload } from "./use-download";

const STYLE =
  "inline-flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-[0.8125rem] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10";

/** A link to a file. When the file cannot be had, the page says why. A second click while the server is asked does nothing. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  const download = useDownload();
  const { attempt, isPending } = useAttempt(() => download(href));
  return (
    <a
      href={href}
      download
      onClick={(event) => {
        event.preventDefault();
        void attempt();
      }}
      aria-busy={isPending}
      className={`${STYLE} ${isPending ? "opacity-60 transition-opacity! delay-300" : ""}`}
    >
      {children}
    </a>
  );
}
