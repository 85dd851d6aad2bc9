"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { useLastPage } from "@/app/_address/use-last-page";
import { useCreator } from "@/app/_palette/page-action";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { bdi } from "@/components/isolate";
import { Loading } from "@/components/loading";
import { PageHeading } from "@/components/page-heading";
import { Pager } from "@/components/pager";
import { SearchField } from "@/components/search-field";
import { type GroupTask, GroupTaskDialog } from "./group-task";
import { groupsAddress, groupsInput } from "./groups-address";
import { GroupsTable } from "./groups-table";

/** The page of all groups. */
export function GroupsView() {
  const t = useTranslations("groups");
  const shell = useTranslations("shell");
  const [address, setAddress] = useQueryStates(groupsAddress, { history: "push" });
  const [task, setTask] = useState<GroupTask>();
  useCreator("group", () => setTask({ kind: "create" }));
  const groups = trpc.groups.search.useQuery(groupsInput(address), { placeholderData: keepPreviousData });
  const { q, sort, order, page } = address;
  const { data } = groups;

  useLastPage(page, groups.isPlaceholderData ? undefined : data, (last) =>
    setAddress({ page: last }, { history: "replace" }),
  );

  // It returns nothing: the address changes at once, and a button would wait for a promise.
  const clear = () => {
    setAddress({ q: "", page: 1 });
  };
  const create = (
    <Button variant="primary" icon="plus" onPress={() => setTask({ kind: "create" })}>
      {t("create")}
    </Button>
  );
  const isUnused = data?.total === 0 && q === "";
  return (
    <>
      <PageHeading title={t("title")} description={t("description")} actions={!isUnused && create} />
      {!isUnused && (
        <div className="mb-3 flex flex-wrap gap-2">
          <SearchField
            label={t("search")}
            value={q}
            onChange={(q) => setAddress({ q, page: 1 }, { history: "replace" })}
          />
        </div>
      )}
      <FailureNotice error={groups.error} onRetry={groups.refetch} />
      {groups.isPending && <Loading>{t("loading")}</Loading>}
      {isUnused && (
        <EmptyState
          icon="group"
          title={t("empty.title")}
          action={create}
          link={{ href: "/docs", label: shell("apiReference") }}
        >
          {t("empty.text")}
        </EmptyState>
      )}
      {data?.total === 0 && q !== "" && (
        <EmptyState
          icon="search"
          title={t("noMatch.title")}
          action={<Button onPress={clear}>{t("noMatch.clear")}</Button>}
        >
          {t.rich("noMatch.text", { search: q, bdi })}
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <GroupsTable
            groups={data.data}
            isBusy={groups.isPlaceholderData}
            sort={sort}
            order={order}
            onSort={(sort, order) => setAddress({ sort, order, page: 1 })}
            onChoose={setTask}
          />
          <Pager
            page={data.page}
            pageSize={data.page_size}
            rowCount={data.data.length}
            total={data.total}
            asked={page}
            onTurn={(next) => setAddress({ page: next })}
          />
        </>
      )}
      <GroupTaskDialog task={task} onClose={() => setTask(undefined)} />
    </>
  );
}
