"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { PAGE_SIZES } from "@/app/_address/page-size";
import { useLastPage } from "@/app/_address/use-last-page";
import { usePageSize } from "@/app/_address/use-page-size";
import { useCreator } from "@/app/_palette/page-action";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loading } from "@/components/loading";
import { PageHeading } from "@/components/page-heading";
import { Pager } from "@/components/pager";
import { type ModelTask, ModelTaskDialog } from "./model-task";
import { isNarrowed, type ModelsAddress, modelsAddress, modelsInput } from "./models-address";
import { ModelsFilters } from "./models-filters";
import { ModelsTable } from "./models-table";
import { OperatorChanges } from "./operator-changes";

/** The page of prices. */
export function ModelsView() {
  const t = useTranslations("models");
  const shell = useTranslations("shell");
  const [address, setAddress] = useQueryStates(modelsAddress, { history: "push" });
  const { remember } = usePageSize(address.size, (size) => setAddress({ size }, { history: "replace" }));
  const [task, setTask] = useState<ModelTask>();
  useCreator("price", () => setTask({ kind: "add" }));
  useCreator("import", () => setTask({ kind: "import" }));
  const models = trpc.models.list.useQuery(modelsInput(address), { placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = models;
  const { page, sort, order } = address;

  useLastPage(page, isPlaceholderData ? undefined : data, (last) => setAddress({ page: last }, { history: "replace" }));

  // It returns nothing: the address changes at once, and a button would wait for a promise.
  const narrow = (change: Partial<ModelsAddress>) => {
    setAddress({ ...change, page: null });
  };
  const clear = () => narrow({ q: "", source: null, when: "all" });
  const isUnused = data?.total === 0 && !isNarrowed(address);
  const actions = (
    <>
      <Button icon="upload" onPress={() => setTask({ kind: "import" })}>
        {t("import.open")}
      </Button>
      <Button variant="primary" icon="plus" onPress={() => setTask({ kind: "add" })}>
        {t("add")}
      </Button>
    </>
  );
  return (
    <>
      <PageHeading title={t("title")} description={t("description")} actions={!isUnused && actions} />
      {!isUnused && (
        <ModelsFilters
          address={address}
          onNarrow={narrow}
          onSearch={(q) => setAddress({ q, page: null }, { history: "replace" })}
          onClear={clear}
        />
      )}
      <FailureNotice error={models.error} onRetry={models.refetch} />
      {models.isPending && <Loading>{t("loading")}</Loading>}
      {isUnused && (
        <EmptyState
          icon="model"
          title={t("empty.title")}
          action={<div className="flex flex-wrap justify-center gap-2">{actions}</div>}
          link={{ href: "/docs", label: shell("apiReference") }}
        >
          {t("empty.text")}
        </EmptyState>
      )}
      {data?.total === 0 && !isUnused && (
        <EmptyState
          icon="filter"
          title={t("noMatch.title")}
          action={
            <Button icon="x" onPress={clear}>
              {t("noMatch.clear")}
            </Button>
          }
        >
          {t("noMatch.text")}
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <ModelsTable
            models={data.data}
            isBusy={isPlaceholderData}
            sort={sort}
            order={order}
            onSort={(sort, order) => setAddress({ sort, order, page: null })}
            onChoose={setTask}
          />
          <Pager
            page={data.page}
            pageSize={data.page_size}
            rowCount={data.data.length}
            total={data.total}
            asked={page}
            onTurn={(next) => setAddress({ page: next })}
            sizes={PAGE_SIZES}
            onResize={(next) => {
              remember(next);
              setAddress({ size: next, page: null });
            }}
          />
        </>
      )}
      <OperatorChanges />
      <ModelTaskDialog task={task} onClose={() => setTask(undefined)} />
    </>
  );
}
