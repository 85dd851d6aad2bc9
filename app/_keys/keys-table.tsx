"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl/react";
import { PAGE_SIZES } from "@/app/_address/page-size";
import { usePageSize } from "@/app/_address/use-page-size";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { MenuPanel, useMenu } from "@/components/menu";
import { Pager } from "@/components/pager";
import { Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { Key } from "@/server/keys/schema";
import { columnAmounts } from "./column-amounts";
import { useColumns } from "./columns";
import type { KeyAction } from "./key-action";
import { KeyDialog } from "./key-dialog";
import { useKeyMenu } from "./key-menu";
import { KeyRow } from "./key-row";
import { KeysFilters } from "./keys-filters";
import { KeysHead } from "./keys-head";
import { isFiltered, keysSearch, listInput } from "./keys-search";
import { NoKeys } from "./no-keys";
import { type Selected, withKeys } from "./selected";
import { SelectionBar } from "./selection-bar";

/**
 * One page of keys. The server searches, filters and sorts them; the address of the page says how.
 * @param groupId shows only the keys of this group.
 */
export function KeysTable({ groupId, onCreate }: { groupId?: string; onCreate?: () => void }) {
  const t = useTranslations("keys");
  const [search, setSearch] = useQueryStates(keysSearch, { history: "push" });
  const { data, error, isPlaceholderData, refetch } = trpc.keys.list.useQuery(listInput(search, groupId), {
    placeholderData: keepPreviousData,
  });
  const { size, remember } = usePageSize(search.size, (size) => setSearch({ size }, { history: "replace" }));
  const columns = useColumns();
  const formats = useFormats();
  const menu = useMenu();
  const menuOf = useKeyMenu();
  const [menuKey, setMenuKey] = useState<Key>();
  const [selected, setSelected] = useState<Selected>(new Map());
  const [acting, setActing] = useState<{ action: KeyAction; apikey: Key }>();

  const clear = () => setSearch({ q: null, group: null, status: null, look: null, page: null });
  const keys = data?.data ?? [];
  const total = data?.total ?? 0;
  const amounts = useMemo(() => columnAmounts(data?.data ?? [], formats), [data, formats]);
  const shown = columns.shown.filter((column) => groupId === undefined || column !== "group");

  // A page that no longer exists, because its last key was revoked. An address that names such a page is answered by the
  // server with the last one.
  const isBeyond = data !== undefined && !isPlaceholderData && keys.length === 0 && total > 0;
  useEffect(() => {
    if (isBeyond) void setSearch({ page: Math.ceil(total / size) }, { history: "replace" });
  }, [isBeyond, total, size, setSearch]);

  return (
    <div className="grid grid-cols-1 gap-3">
      {selected.size > 0 ? (
        <SelectionBar selected={selected} onClear={() => setSelected(new Map())} />
      ) : (
        <KeysFilters search={search} setSearch={setSearch} groupId={groupId} columns={columns} onClear={clear} />
      )}
      <FailureNotice error={error} onRetry={refetch} />
      {data && total === 0 && <NoKeys isFiltered={isFiltered(search, groupId)} onClear={clear} onCreate={onCreate} />}
      {data && keys.length > 0 && (
        <>
          <Table
            label={t("title")}
            isCards
            isBusy={isPlaceholderData}
            head={
              <KeysHead
                keys={keys}
                selected={selected}
                onSelect={setSelected}
                shown={shown}
                sort={search.sort}
                order={search.order}
                onSort={(sort, order) => setSearch({ sort, order, page: null })}
              />
            }
          >
            {keys.map((apikey) => (
              <KeyRow
                key={apikey.apikey_id}
                apikey={apikey}
                shown={shown}
                amounts={amounts}
                isSelected={selected.has(apikey.apikey_id)}
                onSelect={(isSelected) => setSelected(withKeys(selected, [apikey], isSelected))}
                menu={menu}
                onOpenMenu={() => setMenuKey(apikey)}
              />
            ))}
          </Table>
          <MenuPanel
            menu={menu}
            {...(menuKey
              ? menuOf(menuKey, (action) => setActing({ action, apikey: menuKey }))
              : { label: t("columns.menu"), sections: [] })}
          />
          <Pager
            page={search.page}
            pageSize={size}
            rowCount={keys.length}
            total={total}
            isTotalExact={data.total_is_exact}
            onTurn={(page) => setSearch({ page })}
            sizes={PAGE_SIZES}
            onResize={(size) => {
              remember(size);
              setSearch({ size, page: null });
            }}
          />
        </>
      )}
      {acting && <KeyDialog {...acting} onClose={() => setActing(undefined)} />}
    </div>
  );
}
