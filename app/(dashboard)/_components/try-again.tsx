"use client";

import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl/react";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { Button } from "@/components/button";
import { PlainPage } from "@/components/plain-page";
import { useAttempt } from "@/components/use-attempt";

const RETRY_MS = 5_000;

/** Says that the database cannot be reached or the account asks for too much at once, and tries again until it works. */
export function TryAgain({ reason }: { reason: "away" | "busy" }) {
  const t = useTranslations("tryAgain");
  const { redraw, isRedrawing } = useRedraw();
  const { attempt, isPending } = useAttempt(redraw);
  const latest = useRef(attempt);
  latest.current = attempt;
  useEffect(() => {
    const timer = setInterval(() => latest.current(), RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <PlainPage heading={t(`${reason}.title`)}>
      <p role="status" className="mt-4 text-lg leading-relaxed text-ink-soft">
        {t(`${reason}.text`)}
      </p>
      <Button variant="primary" onPress={attempt} isPending={isPending || isRedrawing} size="large" className="mt-8">
        {t("retry")}
      </Button>
    </PlainPage>
  );
}
