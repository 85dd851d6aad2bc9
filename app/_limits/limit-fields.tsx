"use client";

import { useTranslations } from "use-intl/react";
import { DateField } from "@/components/date-field";
import { MoneyField } from "@/components/money-field";
import { useFormats } from "@/components/use-formats";
import type { LimitName } from "@/server/limits/schema";
import { AMOUNT_NAMES, type LimitDraft, type LimitFault } from "./draft";
import { useLimitTexts } from "./limit-texts";

/** The six limits, each amount behind its own switch. Faults are shown where they are. */
export function LimitFields({
  draft,
  onChange,
  faults,
  onLeave,
}: {
  draft: LimitDraft;
  onChange(draft: LimitDraft): void;
  faults: Partial<Record<LimitName, LimitFault>>;
  /** A field was left: the moment to check it. */
  onLeave(name: LimitName): void;
}) {
  const t = useTranslations("limits");
  const texts = useLimitTexts();
  const formats = useFormats();
  return (
    <div className="grid gap-4">
      <div className="divide-y divide-line border-y border-line">
        {AMOUNT_NAMES.map((name) => (
          <MoneyField
            key={name}
            label={texts.label(name)}
            unit={texts.unit(name)}
            value={draft[name]}
            onChange={(value) => onChange({ ...draft, [name]: value })}
            onBlur={() => onLeave(name)}
            offText={t("unlimited")}
            error={texts.fault(faults[name])}
          />
        ))}
      </div>
      <DateField
        label={texts.label("expiry_date")}
        value={draft.expiry_date}
        onChange={(value) => onChange({ ...draft, expiry_date: value })}
        onBlur={() => onLeave("expiry_date")}
        today={formats.today()}
        hint={draft.expiry_date === null ? undefined : t("expiryHint")}
        error={texts.fault(faults.expiry_date)}
      />
    </div>
  );
}
