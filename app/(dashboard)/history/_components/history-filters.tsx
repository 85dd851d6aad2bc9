"use client";

import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { GroupFilter } from "@/app/_keys/group-filter";
import { SavedFilters } from "@/app/_saved-filters/saved-filters";
import { Button } from "@/components/button";
import { SearchField } from "@/components/search-field";
import { FilterSelect } from "@/components/select-field";
import { ACTIONS, ACTORS, eventsInput, type HistoryAddress, historyAddress, isNarrowed } from "./history-address";

/** The id of a key is the beginning of its value. */
const KEY_ID_LENGTH = 10;

/** The filters of the history: action, actor, key, group, first and last day. */
export function HistoryFilters({
  address,
  onNarrow,
  onClear,
}: {
  address: HistoryAddress;
  onNarrow(change: Partial<HistoryAddress>): void;
  onClear(): void;
}) {
  const t = useTranslations("history");
  const { action, actor, key, group, from, to } = address;
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label={t("filters.key")}
        value={key} // The reader may paste a whole value. The address keeps only the id, which is no secret.
        onChange={(key) => onNarrow({ key: key.trim().slice(0, KEY_ID_LENGTH) })}
      />
      <FilterSelect
        label={t("filters.action")}
        value={action ?? ""}
        onChange={(value) => onNarrow({ action: ACTIONS.find((each) => each === value) ?? null })}
        options={[
          { value: "", label: t("filters.anyAction") },
          ...ACTIONS.map((each) => ({ value: each, label: t(`actions.${each}`) })),
        ]}
      />
      <FilterSelect
        label={t("filters.actor")}
        value={actor ?? ""}
        onChange={(value) => onNarrow({ actor: ACTORS.find((each) => each === value) ?? null })}
        options={[
          { value: "", label: t("filters.anyActor") },
          ...ACTORS.map((each) => ({ value: each, label: t(`actors.${each}`) })),
        ]}
      />
      <GroupFilter
        label={t("filters.group")}
        value={group ?? ""}
        fixed={[{ value: "", label: t("filters.anyGroup") }]}
        onChange={(group) => onNarrow({ group: group || null })}
      />
      <DayFilter label={t("filters.from")} value={from} onChange={(from) => onNarrow({ from })} />
      <DayFilter label={t("filters.to")} value={to} onChange={(to) => onNarrow({ to })} />
      {isNarrowed(address) && (
        <Button variant="ghost" size="small" icon="x" onPress={onClear}>
          {t("clear")}
        </Button>
      )}
      <span className="ml-auto">
        <SavedFilters list="history" query={eventsInput(address)} />
      </span>
      <ExportLinks address={address} />
    </search>
  );
}

/** Links to files with all events that match the filters. */
function ExportLinks({ address }: { address: HistoryAddress }) {
  const t = useTranslations("history.export");
  const { page: _, ...filter } = eventsInput(address);
  return (
    <span className="flex items-center gap-2">
      {(["csv", "jsonl"] as const).map((format) => (
        <a
          key={format}
          href={`/history/export?${new URLSearchParams({ ...filter, format })}`}
          download
          className="inline-flex h-8 items-center rounded-lg px-2.5 text-[13px] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10"
        >
          {t(format)}
        </a>
      ))}
    </span>
  );
}

/** The first or the last day of the history. A half-typed year does not change the filter yet. */
function DayFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | null;
  onChange(day: string | null): void;
}) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? "");
  const sent = useRef(value);
  // The value may change from outside, as by the back button or by "Clear the filters".
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value ?? "");
  }, [value]);
  const type = (text: string) => {
    setTyped(text);
    const day = historyAddress.from.parse(text);
    if (text !== "" && day === null) return;
    sent.current = day;
    onChange(day);
  };
  return (
    <span
      className={`inline-flex h-9 items-center gap-2 rounded-lg border bg-raised px-3 text-sm pointer-coarse:h-11 ${value === null ? "border-line" : "border-accent font-medium text-accent"}`}
    >
      <label htmlFor={id} className="text-ink-soft">
        {label}
      </label>
      <input
        id={id}
        type="date"
        min="1000-01-01"
        max="9999-12-31"
        value={typed}
        onChange={(event) => type(event.target.value)}
        className="rounded bg-transparent"
      />
    </span>
  );
}
