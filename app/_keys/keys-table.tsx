"use client";

import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CopyButton } from "@/components/copy-field";
import { EmptyState } from "@/components/empty-state";
import { Menu } from "@/components/menu";
import { Pager } from "@/components/pager";
import { SearchField } from "@/components/search-field";
import { FilterSelect } from "@/components/select-field";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import { KEY_LOOKS, KEY_STATUSES, type Key, type KeySort } from "@/server/keys/schema";
import { COLUMNS, type Column, SORT_OF, useColumns } from "./columns";
import type { KeyAction } from "./key-action";
import { KeyDialog } from "./key-dialog";
import { KeyMenu } from "./key-menu";
import { KeyStatusChip } from "./key-status";
import { filterOf, keysSearch, listInput, PAGE_SIZE } from "./keys-search";
import { LastUsed } from "./last-used";
import { type Selected, SelectionBar } from "./selection-bar";
import { SpendBar } from "./spend-bar";

/**
 * A page of keys, searched, filtered and sorted by the server; its state stands in the address.
 * @param groupId shows the keys of one group alone.
 */
export function KeysTable({ groupId, onCreate }: { groupId?: string; onCreate?: () => void }) {
  const t = useTranslations("keys");
  const [search, setSearch] = useQueryStates(keysSearch, { history: "push" });
  const { data, error, isPlaceholderData, refetch } = trpc.keys.list.useQuery(listInput(search, groupId), {
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const [selected, setSelected] = useState<Selected>(new Map());
  const [acting, setActing] = useState<{ action: KeyAction; apikey: Key }>();

  const narrow = (change: Partial<typeof search>) => setSearch({ ...change, page: null });
  const clear = () => setSearch({ q: null, group: null, status: null, look: null, page: null });
  const isFiltered =
    search.q !== "" || search.status !== null || search.look !== null || (groupId === undefined && search.group !== "");
  const keys = data?.data ?? [];
  const total = data?.total ?? 0;
  const first = (search.page - 1) * PAGE_SIZE + 1;
  const last = first + keys.length - 1;

  // A page that is no more, as after its last key was revoked.
  const isBeyond = data !== undefined && !isPlaceholderData && keys.length === 0 && total > 0;
  useEffect(() => {
    if (isBeyond) void setSearch({ page: Math.ceil(total / PAGE_SIZE) }, { history: "replace" });
  }, [isBeyond, total, setSearch]);

  return (
    <div className="grid grid-cols-1 gap-3">
      {selected.size > 0 ? (
        <SelectionBar selected={selected} onClear={() => setSelected(new Map())} />
      ) : (
        <div className="flex min-h-9 flex-wrap items-center gap-2">
          <SearchField
            label={t("search")}
            value={search.q}
            // Typing makes no steps to go back by.
            onChange={(q) => setSearch({ q, page: null }, { history: "replace" })}
          />
          {groupId === undefined && <GroupFilter value={search.group} onChange={(group) => narrow({ group })} />}
          <FilterSelect
            label={t("statusFilter")}
            value={search.status ?? ""}
            onChange={(value) => narrow({ status: KEY_STATUSES.find((status) => status === value) ?? null })}
            options={[
              { value: "", label: t("anyStatus") },
              ...KEY_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
            ]}
          />
          <FilterSelect
            label={t("lookFilter")}
            value={search.look ?? ""}
            onChange={(value) => narrow({ look: KEY_LOOKS.find((look) => look === value) ?? null })}
            options={[
              { value: "", label: t("anyLook") },
              ...KEY_LOOKS.map((look) => ({ value: look, label: t(`look.${look}`) })),
            ]}
          />
          {isFiltered && (
            <Button variant="ghost" size="small" icon="x" onPress={clear}>
              {t("clearFilters")}
            </Button>
          )}
          <span className="ml-auto flex items-center gap-2">
            <ExportLink filter={filterOf(search, groupId)} />
            <ColumnChooser shown={columns.shown} onToggle={columns.toggle} />
          </span>
        </div>
      )}
      <FailureNotice error={error} onRetry={refetch} />
      {data && total === 0 ? (
        <NoKeys isFiltered={isFiltered} onClear={clear} onCreate={onCreate} />
      ) : (
        data && (
          <>
            <Table
              label={t("title")}
              isBusy={isPlaceholderData}
              head={
                <HeadRow
                  keys={keys}
                  selected={selected}
                  onSelect={setSelected}
                  shown={columns.shown.filter((column) => groupId === undefined || column !== "group")}
                  sort={search.sort}
                  order={search.order}
                  onSort={(sort, order) => narrow({ sort, order })}
                />
              }
            >
              {keys.map((apikey) => (
                <KeyRow
                  key={apikey.apikey_id}
                  apikey={apikey}
                  shown={columns.shown.filter((column) => groupId === undefined || column !== "group")}
                  isSelected={selected.has(apikey.apikey_id)}
                  onSelect={(isSelected) => setSelected(withKeys(selected, [apikey], isSelected))}
                  onAct={(action) => setActing({ action, apikey })}
                />
              ))}
            </Table>
            <Pager
              first={first}
              last={last}
              total={total}
              onPrevious={search.page > 1 ? () => setSearch({ page: search.page - 1 }) : undefined}
              onNext={last < total ? () => setSearch({ page: search.page + 1 }) : undefined}
            />
          </>
        )
      )}
      {acting && <KeyDialog {...acting} onClose={() => setActing(undefined)} />}
    </div>
  );
}

function withKeys(selected: Selected, keys: Key[], isSelected: boolean): Selected {
  const next = new Map(selected);
  for (const { apikey_id, spent } of keys) {
    if (isSelected) next.set(apikey_id, spent);
    else next.delete(apikey_id);
  }
  return next;
}

function HeadRow({
  keys,
  selected,
  onSelect,
  shown,
  sort,
  order,
  onSort,
}: {
  keys: Key[];
  selected: Selected;
  onSelect(selected: Selected): void;
  shown: Column[];
  sort: KeySort;
  order: "asc" | "desc";
  onSort(sort: KeySort, order: "asc" | "desc"): void;
}) {
  const t = useTranslations("keys");
  const selectable = keys.filter(({ status }) => status !== "revoked");
  const count = selectable.filter(({ apikey_id }) => selected.has(apikey_id)).length;
  const sortable = (by: KeySort | undefined) =>
    by && {
      sorted: sort === by ? (order === "asc" ? ("ascending" as const) : ("descending" as const)) : undefined,
      // A second press turns the order round; the first runs as one reads such values.
      onSort: () => onSort(by, sort === by ? (order === "asc" ? "desc" : "asc") : by === "name" ? "asc" : "desc"),
    };
  return (
    <>
      <HeadCell isNarrow>
        <Checkbox
          label={t("selectPage")}
          state={count === 0 ? false : count === selectable.length ? true : "some"}
          isDisabled={selectable.length === 0}
          onChange={(isSelected) => onSelect(withKeys(selected, selectable, isSelected))}
        />
      </HeadCell>
      <HeadCell {...sortable("name")}>{t("columns.name")}</HeadCell>
      {shown.includes("group") && <HeadCell>{t("columns.group")}</HeadCell>}
      <HeadCell>{t("columns.status")}</HeadCell>
      {shown
        .filter((column) => column !== "group")
        .map((column) => (
          <HeadCell key={column} align={column === "prices" ? "end" : "start"} {...sortable(SORT_OF[column])}>
            {t(`columns.${column}`)}
          </HeadCell>
        ))}
      <HeadCell isNarrow isKept>
        <span className="sr-only">{t("columns.menu")}</span>
      </HeadCell>
    </>
  );
}

function KeyRow({
  apikey,
  shown,
  isSelected,
  onSelect,
  onAct,
}: {
  apikey: Key;
  shown: Column[];
  isSelected: boolean;
  onSelect(isSelected: boolean): void;
  onAct(action: KeyAction): void;
}) {
  const t = useTranslations("keys");
  return (
    <tr aria-selected={isSelected}>
      <Cell isNarrow>
        <Checkbox
          label={t("select", { name: apikey.name })}
          state={isSelected}
          isDisabled={apikey.status === "revoked"}
          onChange={onSelect}
        />
      </Cell>
      <Cell isHead className="min-w-52">
        <span className="flex items-center gap-2">
          <Link
            href={`/keys/${encodeURIComponent(apikey.apikey_id)}`}
            prefetch={false}
            dir="auto"
            className="line-clamp-2 max-w-72 text-sm font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {apikey.name}
          </Link>
          {apikey.is_default && (
            <span className="rounded bg-panel px-1.5 py-0.5 text-xs text-ink-soft">{t("default")}</span>
          )}
        </span>
        <span className="flex items-center gap-1">
          <code className="font-mono text-xs text-ink-soft">{apikey.apikey_id}…</code>
          <CopyButton text={apikey.apikey_id} label={t("copyId", { name: apikey.name })} />
        </span>
      </Cell>
      {shown.includes("group") && (
        <Cell className="min-w-28">
          {apikey.group_id === null ? (
            <span className="text-ink-soft">{t("noGroup")}</span>
          ) : (
            <Link
              href={`/groups/${apikey.group_id}`}
              prefetch={false}
              dir="auto"
              className="line-clamp-2 max-w-48 underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {apikey.group_name}
            </Link>
          )}
        </Cell>
      )}
      <Cell>
        <KeyStatusChip status={apikey.status} />
      </Cell>
      {shown
        .filter((column) => column !== "group")
        .map((column) => (
          <Cell key={column} align={column === "prices" ? "end" : "start"} className="whitespace-nowrap">
            <ColumnValue column={column} apikey={apikey} />
          </Cell>
        ))}
      <Cell isNarrow isKept>
        <KeyMenu apikey={apikey} onAct={onAct} />
      </Cell>
    </tr>
  );
}

function ColumnValue({ column, apikey }: { column: Exclude<Column, "group">; apikey: Key }) {
  const t = useTranslations("keys");
  const texts = useLimitTexts();
  const formats = useFormats();
  const shortPrice = (yuan: number | null) =>
    yuan ? t("shortPrice", { amount: formats.amount(yuan) }) : texts.value("input_price_limit", yuan);
  switch (column) {
    case "prices":
      if (!apikey.input_price_limit && !apikey.output_price_limit) return <Unlimited />;
      return (
        <span className="grid text-xs leading-5">
          <span>{t("priceIn", { price: shortPrice(apikey.input_price_limit) })}</span>
          <span>{t("priceOut", { price: shortPrice(apikey.output_price_limit) })}</span>
        </span>
      );
    case "created_at":
      return (
        <time dateTime={new Date(apikey.created_at * 1000).toISOString()}>{formats.moment(apikey.created_at)}</time>
      );
    case "expiry_date":
      return apikey.expiry_date === null ? (
        <span className="text-ink-soft">{texts.value(column, null)}</span>
      ) : (
        <time dateTime={apikey.expiry_date}>{texts.value(column, apikey.expiry_date)}</time>
      );
    case "last_used_at":
      return <LastUsed at={apikey.last_used_at} />;
    default:
      return <SpendBar window={column} apikey={apikey} />;
  }
}

function Unlimited() {
  const t = useTranslations("limits");
  return <span className="text-ink-soft">{t("unlimited")}</span>;
}

function GroupFilter({ value, onChange }: { value: string; onChange(group: string): void }) {
  const t = useTranslations("keys");
  const { data } = trpc.groups.list.useQuery();
  return (
    <FilterSelect
      label={t("groupFilter")}
      value={value}
      onChange={onChange}
      options={[
        { value: "", label: t("anyGroup") },
        { value: "none", label: t("noGroup") },
        ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

function ExportLink({ filter }: { filter: ReturnType<typeof filterOf> }) {
  const t = useTranslations("keys");
  return (
    <a
      href={`/keys/export?${new URLSearchParams(filter)}`}
      download
      className="inline-flex h-8 items-center rounded-lg px-2.5 text-[13px] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10"
    >
      {t("export")}
    </a>
  );
}

function ColumnChooser({ shown, onToggle }: { shown: Column[]; onToggle(column: Column): void }) {
  const t = useTranslations("keys");
  return (
    <Menu
      label={t("chooseColumns")}
      className="inline-flex h-8 cursor-pointer items-center rounded-lg px-2.5 text-[13px] text-ink-soft hover:bg-panel hover:text-ink aria-expanded:bg-panel pointer-coarse:h-10"
      sections={[
        {
          items: COLUMNS.map((column) => ({
            label: t(`columns.${column}`),
            isTicked: shown.includes(column),
            onSelect: () => onToggle(column),
          })),
        },
      ]}
    >
      {t("columnsButton")}
    </Menu>
  );
}

function NoKeys({
  isFiltered,
  onClear,
  onCreate,
}: {
  isFiltered: boolean;
  onClear(): void;
  onCreate: (() => void) | undefined;
}) {
  const t = useTranslations("keys.empty");
  if (isFiltered) {
    return (
      <EmptyState
        icon="filter"
        title={t("nothingMatches")}
        action={
          <Button onPress={onClear} icon="x">
            {t("clear")}
          </Button>
        }
      >
        {t("nothingMatchesText")}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="key"
      title={t("title")}
      action={
        onCreate && (
          <Button variant="primary" icon="plus" onPress={onCreate}>
            {t("create")}
          </Button>
        )
      }
      link={{ href: "/docs", label: t("reference") }}
    >
      {t("text")}
    </EmptyState>
  );
}
