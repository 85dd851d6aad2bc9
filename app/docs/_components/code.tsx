import { CopyButton } from "@/components/copy-field";

/** A piece of code that scrolls in its frame, with a button that copies it where `copyLabel` names one. */
export function Code({ label, text, copyLabel }: { label: string; text: string; copyLabel?: string }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line bg-panel">
      <figcaption className="flex min-h-9 items-center justify-between gap-2 border-b border-line px-3 text-xs text-ink-soft">
        {label}
        {copyLabel && <CopyButton text={text} label={copyLabel} />}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls */}
      <pre tabIndex={0} className="max-h-96 overflow-auto p-3 font-mono text-xs leading-relaxed [contain:inline-size]">
        <code>{text}</code>
      </pre>
    </figure>
  );
}
