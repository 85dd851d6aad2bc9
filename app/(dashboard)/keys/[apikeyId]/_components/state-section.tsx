"use client";

import type { ReactNode } from "react";
import { useTimeZone, useTranslations } from "use-intl/react";
import { LastUsed } from "@/app/_keys/last-used";
import { type WindowUse, windowsOf } from "@/app/_keys/window-use";
import { Amount } from "@/components/amount";
import { Notice } from "@/components/notice";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import { type Key, NEAR_FROM } from "@/server/keys/schema";
import { LimitLeft } from "./limit-left";

/** What the key is good for at this moment: its state in words, what is left of each limit, and when that begins anew. */
export function StateSection({ apikey, actions }: { apikey: Key; actions: ReactNode }) {
  const t = useTranslations("keys.state");
  const columns = useTranslations("keys.columns");
  const limits = useTranslations("limits");
  const formats = useFormats();
  const zone = useTimeZone() ?? "UTC";
  const windows = windowsOf(apikey);
  return (
    <Section title={t("title")} description={t("zone", { zone })} actions={actions}>
      <StateNotice apikey={apikey} windows={windows} />
      <dl className="mt-4 grid gap-x-8 gap-y-5 sm:grid-cols-3">
        {windows.map((window) => (
          <LimitLeft key={window.name} window={window} />
        ))}
        <Fact name={limits("names.expiry_date")}>
          {apikey.expiry_date === null ? limits("never") : formats.date(apikey.expiry_date)}
        </Fact>
        <Fact name={t("heldInAll")}>
          <Amount yuan={apikey.held} isBreakable />
        </Fact>
        <Fact name={columns("last_used_at")}>
          <LastUsed at={apikey.last_used_at} />
        </Fact>
      </dl>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
      <dd className="mt-0.5 text-sm tabular-nums">{children}</dd>
    </div>
  );
}

/** Whether calls pass, and if not, why and until when. */
function StateNotice({ apikey, windows }: { apikey: Key; windows: readonly WindowUse[] }) {
  const t = useTranslations("keys.state");
  const components = useTranslations("components");
  const formats = useFormats();
  const until = ({ name, resetsAt }: WindowUse) =>
    resetsAt === null ? t("untilRaised") : t("until", { moment: formats.moment(resetsAt, { withZone: true }), name });
  const sentence = (window: WindowUse, key: "blocked" | "held" | "near") =>
    t(`${key}.${window.name}`, {
      spent: formats.amount(window.spent),
      limit: formats.amount(window.limit ?? 0),
      share: formats.share((window.spent + window.held) / (window.limit ?? 1)),
    });
  switch (apikey.status) {
    case "revoked":
      return <Notice tone="warn" title={t("revoked")} />;
    case "disabled":
      return (
        <Notice tone="warn" title={t("disabled")}>
          {t("disabledText")}
        </Notice>
      );
    case "expired":
      return (
        <Notice tone="warn" title={t("expired", { date: formats.date(apikey.expiry_date ?? "") })}>
          {t("expiredText")}
        </Notice>
      );
  }
  const spentUp = windows.filter(({ limit, spent }) => limit !== null && spent >= limit);
  const heldUp = windows.filter((window) => !spentUp.includes(window) && window.left !== null && window.left <= 0);
  const stopping = [...spentUp, ...heldUp];
  if (stopping.length > 0) {
    return (
      <Notice tone="warn" title={t("stopped")}>
        <ul>
          {stopping.map((window) => (
            <li key={window.name}>
              {spentUp.includes(window)
                ? components("sentences", { first: sentence(window, "blocked"), second: until(window) })
                : sentence(window, "held")}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  const near = windows.filter(({ limit, spent, held }) => limit !== null && spent + held >= NEAR_FROM * limit);
  if (near.length > 0) {
    return (
      <Notice tone="info" title={t("passingYet")}>
        <ul>
          {near.map((window) => (
            <li key={window.name}>{sentence(window, "near")}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  const isLimited = windows.some(({ limit }) => limit !== null);
  return <Notice tone="good">{isLimited ? t("passing") : t("passingUnlimited")}</Notice>;
}
