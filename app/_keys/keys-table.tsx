"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { PAGE_SIZES } from "@/app/_address/page-size";
import { useLastPage } from "@/app/_address/use-last-page";
import { usePageSize } from "@/app/_address/use-page-size";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { MenuPanel, type Opened, useMenu } from "@/components/menu";
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
import { filterOf, isFiltered, keysSearch, listInput } from "./keys-search";
import { msOfThisDay } from "./ms-of-this-day";
import { NoKeys } from "./no-keys";
import { isSelectable, type Selected, withKeys, withPresent } from "./selected";
import { type Matching, SelectionBar } from "./selection-bar";

/**
 * One page of keys. The server searches, filters and sorts them; the address of the page says how.
 * @param groupId shows only the keys of this group.
 */
export function KeysTable({ groupId }: { groupId?: string }) {
  const t = useTranslations("keys");
  const [search, setSearch] = useQueryStates(keysSearch, { history: "push" });
  const { data, error, isPlaceholderData, refetch } = trpc.keys.list.useQuery(listInput(search, groupId), {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => msOfThisDay(state.data?.data[0]),
  });
  const { remember } = usePageSize(search.size, (size) => setSearch({ size }, { history: "replace" }));
  const columns = useColumns();
  const formats = useFormats();
  const menu = useMenu();
  const menuOf = useKeyMenu();
  const [menuKeyId, setMenuKeyId] = useState<string>();
  const [ticked, setSelected] = useState<Selected>(new Map());
  // All keys that match are selected as long as the filter is this one.
  const [allOf, setAllOf] = useState<string>();
  const [acting, setActing] = useState<{ action: KeyAction; apikey: Key }>();

  const clear = () => setSearch({ q: null, group: null, status: null, look: null, page: null });
  const keys = data?.data ?? [];
  const selected = useMemo(() => withPresent(ticked, data?.data ?? []), [ticked, data]);
  const total = data?.total ?? 0;
  // As it is now, and not as it was when its menu was opened.
  const menuKey = keys.find(({ apikey_id }) => apikey_id === menuKeyId);
  const amounts = useMemo(() => columnAmounts(data?.data ?? [], formats), [data, formats]);
  const shown = useMemo(
    () => columns.shown.filter((column) => groupId === undefined || column !== "group"),
    [columns.shown, groupId],
  );

  const filter = filterOf(search, groupId);
  const isAll = allOf === JSON.stringify(filter);
  const selectable = keys.filter(isSelectable);
  const shownSelected = isAll ? withKeys(selected, selectable, true) : selected;
  const isPageSelected = selectable.length > 0 && selectable.every(({ apikey_id }) => selected.has(apikey_id));
  const select = (ofKeys: Key[], isTicked: boolean) => {
    // Several rows may be ticked before the next drawing.
    setSelected((before) => withKeys(isAll ? withKeys(before, selectable, true) : before, ofKeys, isTicked));
    setAllOf(undefined);
  };
  const clearSelection = () => {
    setSelected(new Map());
    setAllOf(undefined);
  };
  // These two stay the same, so that a row is drawn again only when its key is another one.
  const tick = (apikey: Key, isTicked: boolean) => select([apikey], isTicked);
  const latestTick = useRef(tick);
  latestTick.current = tick;
  const onSelect = useCallback((apikey: Key, isTicked: boolean) => latestTick.current(apikey, isTicked), []);
  const { setOpened } = menu;
  const onOpenMenu = useCallback(
    (apikeyId: string, opened: Opened) => {
      setMenuKeyId(apikeyId);
      setOpened(opened);
    },
    [setOpened],
  );
  const matching: Matching = {
    kind: "filter",
    filter,
    count: total,
    isExact: data?.total_is_exact ?? true,
    isFiltered: isFiltered(search, groupId),
  };

  useLastPage(search.page, isPlaceholderData ? undefined : data, (page) => setSearch({ page }, { history: "replace" }));

  return (
    <div className="grid grid-cols-1 gap-3">
      {selected.size > 0 || isAll ? (
        <SelectionBar
          selected={selected}
          matching={isAll || (isPageSelected && total > keys.length) ? matching : undefined}
          pageCount={selectable.length}
          isAll={isAll}
          onSelectAll={() => setAllOf(JSON.stringify(filter))}
          onClear={clearSelection}
        />
      ) : (
        <KeysFilters search={search} setSearch={setSearch} groupId={groupId} columns={columns} onClear={clear} />
      )}
      <FailureNotice error={error} onRetry={refetch} />
      {data && total === 0 && <NoKeys isFiltered={isFiltered(search, groupId)} onClear={clear} />}
      {data && keys.length > 0 && (
        <>
          <Table
            label={t("title")}
            isCards
            isBusy={isPlaceholderData}
            head={
              <KeysHead
                keys={keys}
                selected={shownSelected}
                onSelect={select}
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
                isSelected={shownSelected.has(apikey.apikey_id)}
                onSelect={onSelect}
                menuId={menu.id}
                isMenuOpen={menu.opened !== undefined && apikey.apikey_id === menuKeyId}
                onOpenMenu={onOpenMenu}
              />
            ))}
          </Table>
          <Pager
            page={data.page}
            pageSize={data.page_size}
            rowCount={keys.length}
            total={total}
            isTotalExact={data.total_is_exact}
            asked={search.page}
            onTurn={(page) => setSearch({ page })}
            sizes={PAGE_SIZES}
            onResize={(size) => {
              remember(size);
              setSearch({ size, page: null });
            }}
          />
          {menuKey && (
            <MenuPanel menu={menu} {...menuOf(menuKey, (action) => setActing({ action, apikey: menuKey }))} />
          )}
        </>
      )}
      {acting && <KeyDialog {...acting} onClose={() => setActing(undefined)} />}
    </div>
  );
}
