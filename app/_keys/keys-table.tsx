"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Pager } from "@/components/pager";
import { Table } from "@/components/table";
import type { Key } from "@/server/keys/schema";
import { useColumns } from "./columns";
import type { KeyAction } from "./key-action";
import { KeyDialog } from "./key-dialog";
import { KeyRow } from "./key-row";
import { KeysFilters } from "./keys-filters";
import { KeysHead } from "./keys-head";
import { isFiltered, keysSearch, listInput, PAGE_SIZE } from "./keys-search";
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
  const columns = useColumns();
  const [selected, setSelected] = useState<Selected>(new Map());
  const [acting, setActing] = useState<{ action: KeyAction; apikey: Key }>();

  const clear = () => setSearch({ q: null, group: null, status: null, look: null, page: null });
  const keys = data?.data ?? [];
  const total = data?.total ?? 0;
  const shown = columns.shown.filter((column) => groupId === undefined || column !== "group");

  // A page that no longer exists, for example after its last key was revoked.
  const isBeyond = data !== undefined && !isPlaceholderData && keys.length === 0 && total > 0;
  useEffect(() => {
    if (isBeyond) void setSearch({ page: Math.ceil(total / PAGE_SIZE) }, { history: "replace" });
  }, [isBeyond, total, setSearch]);

  return (
    <div className="grid grid-cols-1 gap-3">
      {selected.size > 0 ? (
        <SelectionBar selected={selected} onClear={() => setSelected(new Map())} />
      ) : (
        <KeysFilters search={search} setSearch={setSearch} groupId={groupId} columns={columns} onClear={clear} />
      )}
      <FailureNotice error={error} onRetry={refetch} />
      {data && total === 0 && <NoKeys isFiltered={isFiltered(search, groupId)} onClear={clear} onCreate={onCreate} />}
      {data && total > 0 && (
        <>
          <Table
            label={t("title")}
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
                isSelected={selected.has(apikey.apikey_id)}
                onSelect={(isSelected) => setSelected(withKeys(selected, [apikey], isSelected))}
                onAct={(action) => setActing({ action, apikey })}
              />
            ))}
          </Table>
          <Pager
            page={search.page}
            pageSize={PAGE_SIZE}
            rowCount={keys.length}
            total={total}
            isTotalExact={data.total_is_exact}
            onTurn={(page) => setSearch({ page })}
          />
        </>
      )}
      {acting && <KeyDialog {...acting} onClose={() => setActing(undefined)} />}
    </div>
  );
}
