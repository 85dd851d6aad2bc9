"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { ChoiceField } from "@/components/choice-field";
import { Section } from "@/components/section";
import { HeadCell, Table } from "@/components/table";
import { ACTIVITY_KINDS } from "@/server/authorizations/activity/schema";
import { ActivityPage } from "./activity-page";
import { useLastDays } from "./last-days";

const ALL = "all";
const CHOICES = [ALL, ...ACTIVITY_KINDS] as const;
/** Of more refusals for one reason in a day, some are listed (docs/api.md#activity). */
const LISTED_ONE_BY_ONE = 1000;
const COLUMNS = ["at", "kind", "amount", "captured", "model", "reason", "request", "gateway"] as const;

/** The single calls of the last days that are over, newest first, of one kind or of all. */
export function ActivitySection({ apikeyId }: { apikeyId: string }) {
  const t = useTranslations("keys.activity");
  const [kind, setKind] = useQueryState("activity", parseAsStringLiteral(CHOICES).withDefault(ALL));
  const [pages, setPages] = useState(1);
  const { data: refusals } = trpc.usage.refusals.useQuery({ apikey_id: apikeyId, ...useLastDays() });
  const isSampled = refusals?.data.some(({ count }) => count > LISTED_ONE_BY_ONE) ?? false;
  return (
    <Section title={t("title")} description={t("text")}>
      <div className="mb-4">
        <ChoiceField
          label={t("filter")}
          value={kind}
          onChange={(next) => {
            setPages(1);
            void setKind(next);
          }}
          choices={CHOICES.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
      </div>
      {isSampled && (kind === ALL || kind === "refused") && (
        <p className="mb-3 text-[0.8125rem] text-ink-soft">{t("sampled", { count: LISTED_ONE_BY_ONE })}</p>
      )}
      <Table
        isCards
        label={t("title")}
        head={COLUMNS.map((column) => (
          <HeadCell key={column} align={column === "amount" || column === "captured" ? "end" : "start"}>
            {t(`columns.${column}`)}
          </HeadCell>
        ))}
      >
        <ActivityPage
          key={kind}
          apikeyId={apikeyId}
          kind={kind === ALL ? undefined : kind}
          columnCount={COLUMNS.length}
          pages={pages}
          onMore={() => setPages(pages + 1)}
        />
      </Table>
    </Section>
  );
}
