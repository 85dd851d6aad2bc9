"use client";

import { useTranslations } from "use-intl/react";
import { ActionLink } from "../components/action-link";
import { Button } from "../components/button";
import { PlainPage } from "../components/plain-page";
import { useAttempt } from "../components/use-attempt";
import { useRedraw } from "./_trpc/use-redraw";

export default function ErrorPage({ reset }: { error: Error; reset(): void }) {
  const t = useTranslations("error");
  const { redraw, isRedrawing } = useRedraw();
  const { attempt, isPending } = useAttempt(() => redraw(reset));
  return (
    <PlainPage heading={t("title")}>
      <p role="alert" className="mt-4 text-lg leading-relaxed text-ink-soft">
        {t("text")}
      </p>
      <div className="mt-8 flex flex-wrap items-center gap-3">
        <Button variant="primary" onPress={attempt} isPending={isPending || isRedrawing} size="large">
          {t("retry")}
        </Button>
        <ActionLink href="/" variant="secondary">
          {t("home")}
        </ActionLink>
      </div>
    </PlainPage>
  );
}
