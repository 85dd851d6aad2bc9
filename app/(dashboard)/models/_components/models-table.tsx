"use client";

import { useMemo } from "react";
import { useTranslations } from "use-intl/react";
import { SHOWN_PRICES, type ShownPrice, usePriceTexts } from "@/app/_prices/price-texts";
import { BreakableName } from "@/components/breakable-name";
import type { IconName } from "@/components/icon";
import { type Sorting, sortingBy } from "@/components/sorting";
import { StatusChip, type Tone } from "@/components/status-chip";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import { decimalText } from "@/components/yuan";
import { FROM_EVER, type ModelEntry, type ModelSort } from "@/server/prices/schema";
import { ModelMenu } from "./model-menu";
import type { ModelTask } from "./model-task";

const CHIPS: Record<ModelEntry["state"], { icon: IconName; tone: Tone }> = {
  in_force: { icon: "check", tone: "good" },
  upcoming: { icon: "clock", tone: "warn" },
  superseded: { icon: "history", tone: "neutral" },
  overridden: { icon: "minus", tone: "neutral" },
};

/** The table of prices, in yuan per million tokens. */
export function ModelsTable({
  models,
  isBusy,
  onChoose,
  ...sorting
}: {
  models: ModelEntry[];
  isBusy: boolean;
  onChoose(task: ModelTask): void;
} & Sorting<ModelSort>) {
  const t = useTranslations("models");
  const formats = useFormats();
  const texts = usePriceTexts();
  // Prices of one page have equally many decimals, so that they can be compared at a glance.
  const written = useMemo(
    () => formats.aligned(models.flatMap(({ prices }) => [prices.input, prices.cached_input, prices.output])),
    [models, formats],
  );
  return (
    <Table
      label={t("title")}
      isBusy={isBusy}
      isCards
      head={
        <>
          <HeadCell card="name" {...sortingBy("name", sorting, "asc")}>
            {t("columns.name")}
          </HeadCell>
          <HeadCell>{t("columns.state")}</HeadCell>
          <HeadCell>{t("columns.source")}</HeadCell>
          {SHOWN_PRICES.map(([name]) => (
            <HeadCell key={name} align="end" card="sort" {...sortingBy(name, sorting, "asc")}>
              {t(`columns.${name}`)}
            </HeadCell>
          ))}
          <HeadCell align="end" {...sortingBy("max_output_tokens", sorting, "desc")}>
            {t("columns.max_output_tokens")}
          </HeadCell>
          <HeadCell card="sort" {...sortingBy("valid_from", sorting, "desc")}>
            {t("columns.valid_from")}
          </HeadCell>
          <HeadCell isNarrow isKept>
            <span className="sr-only">{t("columns.actions")}</span>
          </HeadCell>
        </>
      }
    >
      {models.map((model) => (
        <tr key={model.model_id} className={model.state === "in_force" ? "" : "text-ink-soft"}>
          <Cell isHead card="name" className="min-w-44 max-w-sm">
            <Name model={model} />
          </Cell>
          <Cell card="state">
            <StatusChip {...CHIPS[model.state]}>{t(`states.${model.state}`)}</StatusChip>
            {/* In a card, it stands beside the state. */}
            <span className="ml-2 text-xs text-ink-soft sm:hidden">
              {t(model.overrides_operator ? "overrides" : `sources.${model.source}`)}
              {model.valid_from !== FROM_EVER && ` · ${texts.day(model.valid_from)}`}
            </span>
          </Cell>
          <Cell className="whitespace-nowrap">
            {t(`sources.${model.source}`)}
            {model.overrides_operator && <p className="text-xs text-ink-soft">{t("overrides")}</p>}
          </Cell>
          {SHOWN_PRICES.map(([name]) => (
            <Cell key={name} align="end" card="amount" label={t(`columns.${name}`)}>
              <Price model={model} name={name} written={written} />
            </Cell>
          ))}
          <Cell align="end">{texts.tokens(model.max_output_tokens)}</Cell>
          <Cell className="whitespace-nowrap">{texts.day(model.valid_from)}</Cell>
          <Cell isNarrow isKept card="menu">
            <ModelMenu model={model} onChoose={onChoose} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** The name or the pattern, and the other names. */
function Name({ model: { name, aliases } }: { model: ModelEntry }) {
  const t = useTranslations("models");
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <code className="font-mono text-[0.8125rem] font-medium [overflow-wrap:anywhere]">
          <BreakableName>{name}</BreakableName>
        </code>
        {name.includes("*") && (
          <span className="rounded-md border border-line px-1.5 text-[0.6875rem] leading-4 text-ink-soft">
            {t("pattern")}
          </span>
        )}
      </span>
      {aliases.length > 0 && (
        <p className="line-clamp-2 text-xs text-ink-soft [overflow-wrap:anywhere]">
          {t("also", { names: aliases.join(", ") })}
        </p>
      )}
    </>
  );
}

/** A price in yuan, and below it the one in its currency with the rate. */
function Price({ model, name, written }: { model: ModelEntry; name: ShownPrice; written(yuan: number): string }) {
  const formats = useFormats();
  const texts = usePriceTexts();
  const yuan = model.prices[name];
  const inCurrency = texts.inCurrency(model, name);
  const exact = formats.exactAmount(yuan);
  return (
    <>
      <data value={decimalText(yuan)} {...(formats.amount(yuan) !== exact && { title: exact })}>
        {written(yuan)}
      </data>
      {inCurrency && <span className="block text-[0.6875rem] leading-4 text-ink-soft">{inCurrency}</span>}
    </>
  );
}
