"use client";

import Link from "next/link";
import { useId, useState } from "react";
import { useTranslations } from "use-intl/react";
import { keepChoice } from "@/app/_theme/choice";
import { trpc } from "@/app/_trpc/client";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { Button } from "@/components/button";
import { Icon } from "@/components/icon";
import type { FirstSteps } from "@/server/accounts/schema";
import { CHECKLIST_COOKIE, CHECKLIST_HIDDEN } from "./checklist-cookie";

/** The steps in the order in which they are done, and where each is done. */
const STEPS = [
  ["group", "/groups"],
  ["key", "/keys"],
  ["gateway", "/settings#gateway"],
  ["call", "/docs"],
] as const satisfies [keyof FirstSteps, string][];

/**
 * What a new account does first. It is gone when all is done, or when this browser has hidden it.
 * @param wasHidden whether it was hidden when the server drew the page.
 */
export function Checklist({ wasHidden }: { wasHidden: boolean }) {
  const t = useTranslations("firstRun.checklist");
  const id = useId();
  const { redraw } = useRedraw();
  const [isHidden, setHidden] = useState(wasHidden);
  const { data: done } = trpc.accounts.firstSteps.useQuery(undefined, { enabled: !isHidden });
  if (isHidden || !done || STEPS.every(([step]) => done[step])) return null;

  const next = STEPS.find(([step]) => !done[step])?.[0];
  return (
    <section aria-labelledby={id} className="rounded-xl border border-line bg-raised">
      <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
        <div>
          <h2 id={id} className="text-[0.9375rem] font-semibold">
            {t("title")}
          </h2>
          <p className="mt-1 text-sm text-ink-soft">
            {t("progress", { done: STEPS.filter(([step]) => done[step]).length, all: STEPS.length })}
          </p>
        </div>
        <Button
          variant="ghost"
          size="small"
          icon="x"
          onPress={() => {
            keepChoice(CHECKLIST_COOKIE, CHECKLIST_HIDDEN);
            setHidden(true);
            // Else whoever goes Back gets the page as it was drawn before.
            void redraw();
          }}
        >
          {t("hide")}
        </Button>
      </header>
      <ol className="px-5 pb-3">
        {STEPS.map(([step, href], index) => (
          <li key={step} className="flex gap-3 py-2.5 not-first:border-t not-first:border-line">
            <span
              aria-hidden="true"
              className={`mt-0.5 grid size-6 shrink-0 place-items-center rounded-full border text-xs tabular-nums ${done[step] ? "border-good text-good" : step === next ? "border-accent text-accent" : "border-line text-ink-soft"}`}
            >
              {done[step] ? <Icon name="check" className="size-3.5" /> : index + 1}
            </span>
            <div className="min-w-0 flex-1">
              <p className={`text-sm ${done[step] ? "text-ink-soft" : "font-medium"}`}>
                {t(`${step}.title`)}
                {done[step] && <span className="sr-only">{t("done")}</span>}
              </p>
              {!done[step] && (
                <p className="mt-0.5 text-[0.8125rem] leading-relaxed text-pretty text-ink-soft">
                  {t(`${step}.text`)}{" "}
                  <Link href={href} prefetch={false} className="text-accent underline underline-offset-4">
                    {t(`${step}.action`)}
                  </Link>
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
