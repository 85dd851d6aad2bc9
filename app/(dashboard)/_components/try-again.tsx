"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { PlainPage } from "@/components/plain-page";

const RETRY_MS = 5_000;

/** Says that the database cannot be reached or the account asks for too much at once, and tries again until it works. */
export function TryAgain({ reason }: { reason: "away" | "busy" }) {
  const t = useTranslations("tryAgain");
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), RETRY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <PlainPage heading={t(`${reason}.title`)}>
      <p role="status" className="mt-4 text-lg leading-relaxed text-ink-soft">
        {t(`${reason}.text`)}
      </p>
      <Button variant="primary" onPress={() => router.refresh()} size="large" className="mt-8">
        {t("retry")}
      </Button>
    </PlainPage>
  );
}
