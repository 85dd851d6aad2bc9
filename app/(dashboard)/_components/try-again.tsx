"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { useTranslations } from "use-intl/react";
import { isReachable } from "@/app/_trpc/reachable";
import { Button } from "@/components/button";
import { PlainPage } from "@/components/plain-page";
import { useAttempt } from "@/components/use-attempt";

const RETRY_MS = 5_000;

/** Says that the database cannot be reached or the account asks for too much at once, and tries again until it works. */
export function TryAgain({ reason }: { reason: "away" | "busy" }) {
  const t = useTranslations("tryAgain");
  const router = useRouter();
  const [isOpening, startOpening] = useTransition();
  const { attempt, isPending } = useAttempt(async () => {
    // Without an answer, the router would leave for a page of the browser, which does not try again.
    if (await isReachable()) startOpening(() => router.refresh());
  });
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
      <Button variant="primary" onPress={attempt} isPending={isPending || isOpening} size="large" className="mt-8">
        {t("retry")}
      </Button>
    </PlainPage>
  );
}
