"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { PlainPage } from "@/components/plain-page";

const RETRY_MS = 5_000;

/** Says that the database cannot be reached, and tries again until it answers. */
export function DatabaseAway() {
  const t = useTranslations("away");
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), RETRY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <PlainPage heading={t("title")}>
      <p role="status" className="mt-4 text-lg leading-relaxed text-ink-soft">
        {t("text")}
      </p>
      <Button variant="primary" onPress={() => router.refresh()} size="large" className="mt-8">
        {t("retry")}
      </Button>
    </PlainPage>
  );
}
