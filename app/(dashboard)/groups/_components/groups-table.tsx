"use client";

import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { GroupSort, GroupWithLimits } from "@/server/groups/schema";
import { GroupMenu } from "./group-menu";
import type { GroupTask } from "./group-task";
import { SharedLimits } from "./shared-limits";

/** The way that a column runs when it is first asked for. */
const FIRST_ORDER = { name: "asc", apikey_count: "desc", created_at: "desc" } as const;

/** A row for each group. */
export function GroupsTable({
  groups,
  isBusy,
  sort,
  order,
  onSort,
  onChoose,
}: {
  groups: GroupWithLimits[];
  isBusy: boolean;
  sort: GroupSort;
  order: "asc" | "desc";
  onSort(sort: GroupSort, order: "asc" | "desc"): void;
  onChoose(task: GroupTask): void;
}) {
  const t = useTranslations("groups");
  const formats = useFormats();
  const sorting = (name: GroupSort) => ({
    sorted: sort === name ? (order === "asc" ? ("ascending" as const) : ("descending" as const)) : undefined,
    onSort: () => onSort(name, sort !== name ? FIRST_ORDER[name] : order === "asc" ? "desc" : "asc"),
  });
  return (
    <Table
      label={t("title")}
      isBusy={isBusy}
      head={
        <>
          <HeadCell {...sorting("name")}>{t("columns.name")}</HeadCell>
          <HeadCell align="end" {...sorting("apikey_count")}>
            {t("columns.keys")}
          </HeadCell>
          <HeadCell align="end">{t("columns.spent")}</HeadCell>
          <HeadCell>{t("columns.limits")}</HeadCell>
          <HeadCell {...sorting("created_at")}>{t("columns.created")}</HeadCell>
          <HeadCell isNarrow isKept>
            <span className="sr-only">{t("columns.actions")}</span>
          </HeadCell>
        </>
      }
    >
      {groups.map((group) => (
        <tr key={group.id}>
          <Cell isHead className="min-w-44 max-w-md">
            <Link
              href={`/groups/${group.id}`}
              prefetch={false}
              dir="auto"
              className="line-clamp-2 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {group.name}
            </Link>
            {group.description !== "" && (
              <p dir="auto" className="mt-0.5 line-clamp-2 text-ink-soft [overflow-wrap:anywhere]">
                {group.description}
              </p>
            )}
          </Cell>
          <Cell align="end">{formats.count(group.apikey_count)}</Cell>
          <Cell align="end">
            <Amount yuan={group.spent_this_month} />
          </Cell>
          <Cell className="min-w-60">
            <SharedLimits group={group} />
          </Cell>
          <Cell className="whitespace-nowrap">
            <time dateTime={new Date(group.created_at * 1000).toISOString()}>{formats.moment(group.created_at)}</time>
          </Cell>
          <Cell isNarrow isKept>
            <GroupMenu group={group} onChoose={onChoose} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
