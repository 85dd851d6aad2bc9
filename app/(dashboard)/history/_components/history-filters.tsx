"use client";

import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { DownloadLink } from "@/app/_csv/download-link";
import { GroupFilter } from "@/app/_keys/group-filter";
import { SavedFilters } from "@/app/_saved-filters/saved-filters";
import { Button } from "@/components/button";
import { DayInput } from "@/components/day-input";
import { SearchField } from "@/components/search-field";
import { FilterSelect } from "@/components/select-field";
import {
  ACTIONS,
  ACTORS,
  daysOf,
  eventsInput,
  type HistoryAddress,
  historyAddress,
  isNarrowed,
  RANGES,
  searchText,
} from "./history-address";

/** The filters of the history: a search, action, actor, group, key and days. */
export function HistoryFilters({
  address,
  today,
  onNarrow,
  onClear,
}: {
  address: HistoryAddress;
  /** `YYYY-MM-DD`, in the zone of the account. */
  today: string;
  onNarrow(change: Partial<HistoryAddress>): void;
  onClear(): void;
}) {
  const t = useTranslations("history");
  const { search, action, actor, key, group, from, to } = address;
  const isOwn = address.range === "own" || (address.range === null && (from !== null || to !== null));
  const range = isOwn ? "own" : (address.range ?? "");
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label={t("filters.search")}
        placeholder={t("filters.searchHint")}
        value={search ?? ""}
        onChange={(typed) => onNarrow({ search: searchText(typed) || null })}
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
      <FilterSelect
        label={t("filters.days")}
        value={range}
        onChange={(value) => {
          const next = RANGES.find((each) => each === value) ?? null;
          // Own days start with the days that are shown now.
          const days = next === "own" ? daysOf(address, today) : {};
          onNarrow({ range: next, from: days.from ?? null, to: days.to ?? null });
        }}
        options={[
          { value: "", label: t("filters.anyDay") },
          ...RANGES.map((each) => ({ value: each, label: t(`ranges.${each}`) })),
        ]}
      />
      {isOwn && (
        <>
          <DayFilter label={t("filters.from")} value={from} onChange={(from) => onNarrow({ range: "own", from })} />
          <DayFilter label={t("filters.to")} value={to} onChange={(to) => onNarrow({ range: "own", to })} />
        </>
      )}
      {key !== "" && (
        <Button size="small" icon="x" onPress={() => onNarrow({ key: "" })}>
          {t("filters.ofKey", { id: key })}
        </Button>
      )}
      {isNarrowed(address) && (
        <Button variant="ghost" size="small" icon="x" onPress={onClear}>
          {t("clear")}
        </Button>
      )}
      <span className="ml-auto flex min-w-0 items-center gap-2 whitespace-nowrap max-sm:w-full max-sm:flex-wrap">
        <SavedFilters list="history" query={eventsInput(address, today)} />
        <ExportLinks address={address} today={today} />
      </span>
    </search>
  );
}

/** Links to files with all events that match the filters. */
function ExportLinks({ address, today }: { address: HistoryAddress; today: string }) {
  const t = useTranslations("history.export");
  const { page: _, ...filter } = eventsInput(address, today);
  return (
    <>
      {(["csv", "jsonl"] as const).map((format) => (
        <DownloadLink key={format} href={`/history/export?${new URLSearchParams({ ...filter, format })}`}>
          {t(format)}
        </DownloadLink>
      ))}
    </>
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
      <DayInput id={id} value={typed} onChange={type} className="rounded bg-transparent" />
    </span>
  );
}
