"use client";

import { useTranslations } from "use-intl/react";
import { GatewayForm } from "@/app/_first-run/gateway-form";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";

/** The address of the gateway at which the keys of the account are used. @param saved `null`: it is not known. */
export function GatewaySection({ saved }: { saved: string | null }) {
  const t = useTranslations("settings.gateway");
  const { redraw } = useRedraw();
  const toast = useToast();
  return (
    <div id="gateway" className="scroll-mt-6">
      <Section title={t("title")} description={t("text")}>
        <GatewayForm
          saved={saved}
          canForget
          onSaved={(url) => {
            toast(url === null ? t("forgotten") : t("saved", { url }));
            // The server draws the saved address. The button compares with it, and Back shows it.
            void redraw();
          }}
        />
      </Section>
    </div>
  );
}
