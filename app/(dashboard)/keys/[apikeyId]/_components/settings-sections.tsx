"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { CeilingMeaning } from "@/app/_ceilings/ceiling-meaning";
import type { KeyAction } from "@/app/_keys/key-action";
import { SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { Button } from "@/components/button";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import type { FoundKey } from "@/server/keys/schema";

/** What is set on the key: its limits, and its value. */
export function SettingsSections({
  apikey,
  actions,
  onAct,
}: {
  apikey: FoundKey;
  actions: readonly KeyAction[];
  onAct(action: KeyAction): void;
}) {
  const t = useTranslations("keys");
  const texts = useLimitTexts();
  const formats = useFormats();
  return (
    <>
      <Section
        title={t("page.limits")}
        actions={
          actions.includes("limits") && (
            <Button size="small" icon="edit" onPress={() => onAct("limits")}>
              {t("page.editLimits")}
            </Button>
          )
        }
      >
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          {SHOWN_NAMES.map((name) => (
            <div key={name}>
              <dt className="text-[0.8125rem] text-ink-soft">{texts.label(name)}</dt>
              <dd className="mt-0.5 text-sm tabular-nums">{texts.value(name, apikey[name])}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-4 border-t border-line pt-3 empty:hidden">
          <CeilingMeaning ceilings={apikey} empty={<NoPrices />} />
        </div>
      </Section>
      <Section
        title={t("page.value")}
        description={
          apikey.previous_value_until === null
            ? t("page.valueText")
            : t("page.twoValues", { moment: formats.moment(apikey.previous_value_until, { withZone: true }) })
        }
        actions={
          actions.includes("rotate") && (
            <Button size="small" icon="rotate" onPress={() => onAct("rotate")}>
              {t("actions.rotate")}
            </Button>
          )
        }
      >
        <code className="font-mono text-[0.8125rem] text-ink-soft [overflow-wrap:anywhere]">
          {apikey.apikey_id}••••••••••••
        </code>
      </Section>
    </>
  );
}

/** Leads to where prices are set, because a ceiling means little without them. */
function NoPrices() {
  const t = useTranslations("ceilings");
  const link = (text: ReactNode) => (
    <Link href="/models" prefetch={false} className="text-accent underline underline-offset-4">
      {text}
    </Link>
  );
  return <p className="text-[0.8125rem] leading-5 text-ink-soft">{t.rich("noPrices", { link })}</p>;
}
