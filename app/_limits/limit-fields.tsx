"use client";

import { useTranslations } from "use-intl/react";
import { CeilingMeaning } from "@/app/_ceilings/ceiling-meaning";
import { DateField } from "@/components/date-field";
import { MoneyField } from "@/components/money-field";
import { useFormats } from "@/components/use-formats";
import type { LimitName, Limits } from "@/server/limits/schema";
import { AMOUNT_NAMES, ceilingsOfDraft } from "./draft";
import { useLimitTexts } from "./limit-texts";
import type { TypedLimits } from "./use-limit-draft";

/** The six limits, each amount behind its own switch, with what the price ceilings allow. Each field shows its own fault. */
export function LimitFields({
  limits: { draft, faults, change, leave },
  before,
  hints = {},
}: {
  limits: TypedLimits;
  /** The limits that are set now, if any. */
  before?: Limits;
  /** What stands below a field, for example what is spent of it. */
  hints?: Partial<Record<LimitName, string>>;
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
            onChange={(value) => change({ ...draft, [name]: value })}
            onBlur={() => leave(name)}
            offText={t("unlimited")}
            hint={hints[name]}
            error={texts.fault(faults[name])}
          />
        ))}
      </div>
      <div className="-mt-2 empty:hidden">
        <CeilingMeaning ceilings={ceilingsOfDraft(draft)} before={before} />
      </div>
      <DateField
        label={texts.label("expiry_date")}
        value={draft.expiry_date}
        onChange={(value) => change({ ...draft, expiry_date: value })}
        onBlur={() => leave("expiry_date")}
        today={formats.today()}
        hint={draft.expiry_date === null ? undefined : (hints.expiry_date ?? t("expiryHint"))}
        error={texts.fault(faults.expiry_date)}
      />
    </div>
  );
}
