"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { useToast } from "@/components/toast";

/** Says what became of prices, and leads to the history. What shows prices or the history is read again. */
export function usePriceToast(): (text: string) => void {
  const t = useTranslations("models.filters");
  const router = useRouter();
  const toast = useToast();
  const utils = trpc.useUtils();
  return (text) => {
    utils.models.invalidate();
    utils.history.invalidate();
    toast(text, "good", { label: t("history"), onPress: () => router.push("/history") });
  };
}
