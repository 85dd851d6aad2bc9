import { Icon, type IconName } from "./icon";

const TONES = { good: "text-good", warn: "text-warn", danger: "text-danger", neutral: "text-ink-soft" };

export type Tone = keyof typeof TONES;

/** A state as a word with an icon. The colour repeats what the word says. */
export function StatusChip({ icon, tone, children }: { icon: IconName; tone: Tone; children: string }) {
  return (
    <span className={`status-chip ${TONES[tone]}`}>
      <Icon name={icon} className="size-3.5" />
      {children}
    </span>
  );
}
