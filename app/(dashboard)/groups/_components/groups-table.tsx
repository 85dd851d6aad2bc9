"use client";

import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { type Sorting, sortingBy } from "@/components/sorting";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { GroupSort, GroupWithLimits } from "@/server/groups/schema";
import { GroupMenu } from "./group-menu";
import type { GroupTask } from "./group-task";
import { SharedLimits } from "./shared-limits";

/** The table of groups. */
export function GroupsTable({
  groups,
  isBusy,
  onChoose,
  ...sorting
}: {
  groups: GroupWithLimits[];
  isBusy: boolean;
  onChoose(task: GroupTask): void;
} & Sorting<GroupSort>) {
  const t = useTranslations("groups");
  const formats = useFormats();
  const written = formats.aligned(groups.map((group) => group.spent_this_month));
  return (
    <Table
      label={t("title")}
      isBusy={isBusy}
      isCards
      head={
        <>
          <HeadCell card="name" {...sortingBy("name", sorting, "asc")}>
            {t("columns.name")}
          </HeadCell>
          <HeadCell align="end" card="sort" {...sortingBy("apikey_count", sorting, "desc")}>
            {t("columns.keys")}
          </HeadCell>
          <HeadCell align="end">{t("columns.spent")}</HeadCell>
          <HeadCell>{t("columns.limits")}</HeadCell>
          <HeadCell card="sort" {...sortingBy("created_at", sorting, "desc")}>
            {t("columns.created")}
          </HeadCell>
          <HeadCell isNarrow isKept>
            <span className="sr-only">{t("columns.actions")}</span>
          </HeadCell>
        </>
      }
    >
      {groups.map((group) => (
        <tr key={group.id}>
          <Cell isHead card="name" className="min-w-44 sm:max-w-md">
            <Link
              href={`/groups/${group.id}`}
              prefetch={false}
              dir="auto"
              className="line-clamp-2 leading-6 font-medium whitespace-pre-wrap underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {group.name}
            </Link>
            {group.description !== "" && (
              <p dir="auto" className="mt-0.5 line-clamp-2 text-ink-soft [overflow-wrap:anywhere]">
                {group.description}
              </p>
            )}
          </Cell>
          <Cell align="end" card="amount" label={t("columns.keys")}>
            {formats.count(group.apikey_count)}
          </Cell>
          <Cell align="end" card="amount" label={t("columns.spent")}>
            <Amount yuan={group.spent_this_month} written={written} />
          </Cell>
          <Cell className="min-w-60">
            <SharedLimits group={group} />
          </Cell>
          <Cell className="whitespace-nowrap">
            <time dateTime={new Date(group.created_at * 1000).toISOString()}>{formats.moment(group.created_at)}</time>
          </Cell>
          <Cell isNarrow isKept card="menu">
            <GroupMenu group={group} onChoose={onChoose} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
