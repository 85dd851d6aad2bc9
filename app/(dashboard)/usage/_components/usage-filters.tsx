"use client";

import type { SetValues } from "nuqs";
import { useId } from "react";
import { useTranslations } from "use-intl/react";
import { GroupFilter } from "@/app/_keys/group-filter";
import { ChoiceField } from "@/components/choice-field";
import { DayInput } from "@/components/day-input";
import { BOX, FieldError } from "@/components/field";
import { MAX_DAYS, USAGE_BY } from "@/server/usage/schema";
import { RANGES, type Range, rangeOf, type UsageAddress, type usageAddress } from "./usage-address";

/** The filters of the page of usage: the days, the group, and whether the bars are stacked by group, by key or by model. */
export function UsageFilters({
  address,
  setAddress,
  today,
  isRefused,
}: {
  address: UsageAddress;
  setAddress: SetValues<typeof usageAddress>;
  /** `YYYY-MM-DD`, in the zone of the account. */
  today: string;
  /** The server would refuse the range. */
  isRefused: boolean;
}) {
  const t = useTranslations("usage");
  const { range, from, to, by, group } = address;
  const chooseRange = (next: Range) =>
    // A custom range starts with the days that are shown now.
    setAddress({
      range: next,
      ...(next === "own" ? rangeOf(address, today) : { from: null, to: null }),
      page: null,
    });
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <ChoiceField
          label={t("rangeField")}
          value={range}
          onChange={chooseRange}
          choices={RANGES.map((value) => ({ value, label: t(`ranges.${value}`) }))}
        />
        <ChoiceField
          label={t("byField")}
          value={by}
          onChange={(next) => setAddress({ by: next, q: null, sort: null, order: null, page: null })}
          choices={USAGE_BY.map((value) => ({ value, label: t(`by.${value}`) }))}
        />
        <GroupFilter
          label={t("groupField")}
          value={group ?? ""}
          fixed={[{ value: "", label: t("anyGroup") }]}
          onChange={(value) => setAddress({ group: value === "" ? null : value, page: null })}
        />
      </div>
      {range === "own" && (
        <OwnRange
          from={from}
          to={to}
          error={isRefused ? t("refused", { days: MAX_DAYS }) : undefined}
          onChange={(change) => setAddress({ ...change, page: null }, { history: "replace" })}
        />
      )}
    </div>
  );
}

function OwnRange({
  from,
  to,
  error,
  onChange,
}: {
  from: string;
  to: string;
  error: string | undefined;
  onChange(change: { from?: string; to?: string }): void;
}) {
  const t = useTranslations("usage");
  const id = useId();
  const shared = {
    className: `${BOX} w-44`,
    ...(error && { "aria-invalid": true, "aria-describedby": `${id}-error` }),
  };
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <span className="flex items-center gap-2 text-sm">
          <label htmlFor={`${id}-from`}>{t("from")}</label>
          <DayInput {...shared} id={`${id}-from`} value={from} onChange={(day) => onChange({ from: day })} />
        </span>
        <span className="flex items-center gap-2 text-sm">
          <label htmlFor={`${id}-to`}>{t("to")}</label>
          <DayInput {...shared} id={`${id}-to`} value={to} onChange={(day) => onChange({ to: day })} />
        </span>
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}
