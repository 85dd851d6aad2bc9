"use client";

import { useTranslations } from "use-intl/react";
import type { PasswordJudgement } from "@/server/auth/password-strength";

const STEPS = [1, 2, 3] as const;
const WORDS = ["tooCommon", "weak", "good", "strong"] as const;
const COLOURS = ["bg-danger", "bg-warn", "bg-accent", "bg-good"] as const;

/** How hard the password is to guess: a bar of three steps, and the word for it. Its room stays when nothing is typed. */
export function PasswordStrengthBar({ judgement }: { judgement: PasswordJudgement | undefined }) {
  const t = useTranslations("auth.strength");
  const strength = judgement?.strength ?? 0;
  const word = judgement && t(judgement.fault ?? WORDS[strength]);
  return (
    <div className="flex min-h-5 items-center gap-3 text-[0.8125rem] text-ink-soft">
      {word !== undefined && (
        <>
          <meter
            aria-label={t("label")}
            aria-valuetext={word}
            max={STEPS.length}
            value={strength}
            className="sr-only"
          />
          <span aria-hidden="true" className="flex w-28 gap-1 forced-color-adjust-none">
            {STEPS.map((step) => (
              <span
                key={step}
                className={`h-1 flex-1 rounded-full ${step <= Math.max(strength, 1) ? COLOURS[strength] : "bg-track"}`}
              />
            ))}
          </span>
        </>
      )}
      <span aria-live="polite">{word}</span>
    </div>
  );
}
