import { Icon } from "@/components/icon";

/** Downloads a file of figures. */
export function DownloadLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      download
      className="inline-flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-[13px] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10"
    >
      <Icon name="download" />
      {children}
    </a>
  );
}
