"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { ChangesTable } from "@/app/_prices/changes-table";
import { trpc } from "@/app/_trpc/client";
import { Pager } from "@/components/pager";
import { Section } from "@/components/section";

const SHOWN = 5;

/** What the operator changed, newest first. It does not show where the operator has never set a price. */
export function OperatorChanges() {
  const t = useTranslations("models.operatorChanges");
  const [page, setPage] = useState(1);
  const { data, isPlaceholderData } = trpc.models.changes.useQuery(
    { page, page_size: SHOWN },
    { placeholderData: keepPreviousData },
  );
  // The page is of use without it, so a failure is not worth a notice.
  if (!data || data.total === 0) return null;
  return (
    <div className="mt-8">
      <Section title={t("title")} description={t("text")}>
        <ChangesTable label={t("title")} changes={data.data} isBusy={isPlaceholderData} />
        <Pager
          page={data.page}
          pageSize={data.page_size}
          rowCount={data.data.length}
          total={data.total}
          isTotalExact={data.total_is_exact}
          onTurn={setPage}
        />
      </Section>
    </div>
  );
}
