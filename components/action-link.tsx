import type { ReactNode } from "react";

const LOOKS = {
  first: "bg-ink text-on-ink hover:opacity-85",
  second: "border border-line text-ink hover:bg-panel",
};

/** A link that looks like a button; `first` stands out. The whole page is loaded anew. */
export function ActionLink({ href, look, children }: { href: string; look: keyof typeof LOOKS; children: ReactNode }) {
  return (
    <a href={href} className={`inline-flex h-11 items-center rounded-lg px-5 text-sm font-medium ${LOOKS[look]}`}>
      {children}
    </a>
  );
}
