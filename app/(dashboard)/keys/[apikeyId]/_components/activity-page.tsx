"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Loading } from "@/components/loading";
import type { ActivityKind } from "@/server/authorizations/activity/schema";
import { ActivityRow } from "./activity-row";
import { ACTIVITY_PAGE_SIZE } from "./activity-size";

interface Props {
  apikeyId: string;
  /** Undefined: every kind. */
  kind: ActivityKind | undefined;
  /** The call after which it begins; undefined: with the newest. */
  after?: string;
  columnCount: number;
  /** How many pages are shown, this one included. */
  pages: number;
  onMore(): void;
}

/**
 * Some calls as rows of a table, and those of the pages after them. Each page begins where the one before ends, so no call is
 * missing when newer ones have come.
 */
export function ActivityPage({ after, pages, ...props }: Props) {
  const { apikeyId, kind, columnCount, onMore } = props;
  const t = useTranslations("keys.activity");
  const { data, error, refetch } = trpc.authorizations.activity.useQuery({
    apikey_id: apikeyId,
    page_size: ACTIVITY_PAGE_SIZE,
    ...(kind && { kind }),
    ...(after && { after }),
  });
  if (!data) {
    return (
      <Whole columnCount={columnCount}>
        {error ? <FailureNotice error={error} onRetry={refetch} /> : <Loading>{t("loading")}</Loading>}
      </Whole>
    );
  }
  if (data.data.length === 0 && after === undefined) {
    return (
      <Whole columnCount={columnCount}>
        <span className="text-ink-soft">{t(`none.${kind ?? "all"}`, { days: data.retention_days })}</span>
      </Whole>
    );
  }
  return (
    <>
      {data.data.map((activity) => (
        <ActivityRow key={activity.id} activity={activity} />
      ))}
      {data.next === null ? (
        <Whole columnCount={columnCount}>
          <span className="text-ink-soft">{t("end", { days: data.retention_days })}</span>
        </Whole>
      ) : pages > 1 ? (
        <ActivityPage {...props} after={data.next} pages={pages - 1} />
      ) : (
        <Whole columnCount={columnCount}>
          <Button size="small" onPress={onMore}>
            {t("more")}
          </Button>
        </Whole>
      )}
    </>
  );
}

/** A row with one cell. */
function Whole({ columnCount, children }: { columnCount: number; children: React.ReactNode }) {
  return (
    <tr>
      {/* It stays at the bottom edge while the table scrolls, and its content at the left one. */}
      <td colSpan={columnCount} data-card="state" className="kept-row bg-raised px-3 py-3">
        <div className="sticky left-3 inline-block">{children}</div>
      </td>
    </tr>
  );
}
