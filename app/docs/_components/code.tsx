import { CopyButton } from "@/components/copy-field";

/** A piece of code that scrolls in its frame, with a button that copies it where `copyLabel` names one. */
export function Code({ label, text, copyLabel }: { label: string; text: string; copyLabel?: string }) {
  return (
    <figure className="code">
      <figcaption>
        {label}
        {copyLabel && <CopyButton text={text} label={copyLabel} />}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
