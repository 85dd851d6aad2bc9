"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { BreakableName } from "@/components/breakable-name";
import type { IconName } from "@/components/icon";
import { StatusChip, type Tone } from "@/components/status-chip";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { EventChange, PriceFields } from "@/server/prices/schema";
import { SHOWN_PRICES, type ShownPrice, usePriceTexts } from "./price-texts";

type Change = EventChange & {
  /** When it was made, in whole seconds since 1970. */
  at?: number;
  /** The command of the operator that made it. */
  by?: string;
};

const CHIPS: Record<Change["change"], { icon: IconName; tone: Tone }> = {
  created: { icon: "plus", tone: "good" },
  changed: { icon: "edit", tone: "warn" },
  deleted: { icon: "trash", tone: "danger" },
  unchanged: { icon: "minus", tone: "neutral" },
};

/** Changes of prices, each with the prices before and after it in yuan. */
export function ChangesTable({
  label,
  changes,
  isBusy = false,
}: {
  /** Accessible name. */
  label: string;
  changes: readonly Change[];
  isBusy?: boolean;
}) {
  const t = useTranslations("models");
  const formats = useFormats();
  const texts = usePriceTexts();
  const hasTimes = changes.some(({ at }) => at !== undefined);
  return (
    <Table
      label={label}
      isBusy={isBusy}
      isCards
      head={
        <>
          {hasTimes && <HeadCell>{t("changes.at")}</HeadCell>}
          <HeadCell card="name">{t("columns.name")}</HeadCell>
          <HeadCell>{t("changes.change")}</HeadCell>
          {SHOWN_PRICES.map(([name]) => (
            <HeadCell key={name} align="end">
              {t(`columns.${name}`)}
            </HeadCell>
          ))}
        </>
      }
    >
      {changes.map((change) => (
        <tr key={`${change.at} ${change.valid_from} ${change.name} ${change.change}`}>
          {hasTimes && (
            <Cell className="whitespace-nowrap tabular-nums">
              {change.at !== undefined && (
                <time dateTime={new Date(change.at * 1000).toISOString()}>{formats.moment(change.at)}</time>
              )}
              <Author change={change} />
            </Cell>
          )}
          <Cell isHead card="name" className="min-w-36">
            <code className="font-mono [overflow-wrap:anywhere]">
              <BreakableName>{change.name}</BreakableName>
            </code>
            <p className="text-xs text-ink-soft">{t("fromDay", { day: texts.day(change.valid_from) })}</p>
            <OtherFields change={change} />
          </Cell>
          <Cell card="state">
            <StatusChip {...CHIPS[change.change]}>{t(`changes.${change.change}`)}</StatusChip>
            {change.at !== undefined && (
              <span className="ml-2 text-xs text-ink-soft sm:hidden">{formats.moment(change.at)}</span>
            )}
            <div className="mt-1.5 empty:hidden sm:hidden">
              <Author change={change} />
            </div>
          </Cell>
          {SHOWN_PRICES.map(([name]) => (
            <Cell key={name} align="end" card="amount" label={t(`columns.${name}`)}>
              <ChangedPrice change={change} name={name} />
            </Cell>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** What made the change, where it is one of the operator. */
function Author({ change: { by } }: { change: Change }) {
  if (by === undefined) return null;
  return <p className="text-xs text-ink-soft [overflow-wrap:anywhere]">{by}</p>;
}

function ChangedPrice({ change: { before, after }, name }: { change: Change; name: ShownPrice }) {
  const texts = usePriceTexts();
  const [old, next] = [before?.prices[name], after?.prices[name]];
  const shown = after ?? before;
  const inCurrency = shown && texts.inCurrency(shown, name);
  const price =
    old !== undefined && next !== undefined && old !== next ? (
      <Becomes before={texts.pair(old, next)[0]}>{texts.pair(old, next)[1]}</Becomes>
    ) : (
      <span className={next === undefined ? "text-ink-soft line-through" : ""}>
        <Amount yuan={next ?? old ?? 0} />
      </span>
    );
  return (
    <>
      {price}
      {inCurrency && <span className="block text-[0.6875rem] text-ink-soft">{inCurrency}</span>}
    </>
  );
}

/** What has changed beside the prices in yuan, which may stay the same in another currency. */
function OtherFields({ change: { before, after } }: { change: Change }) {
  const t = useTranslations("models");
  const texts = usePriceTexts();
  if (!before || !after) return null;
  const written = ({ aliases, currency, rate, cached_input_price, max_output_tokens }: PriceFields) =>
    [
      ["aliases", aliases.join(", ") || "–"],
      ["currency", currency],
      ["rate", texts.rate(rate)],
      ["cached_input", t(cached_input_price === null ? "form.cachedAsInput" : "changes.ownPrice")],
      ["max_output_tokens", texts.tokens(max_output_tokens)],
    ] as const;
  const old = new Map(written(before));
  const changed = written(after).filter(([name, text]) => old.get(name) !== text);
  return changed.map(([name, text]) => (
    <p key={name} className="text-xs [overflow-wrap:anywhere]">
      {t.rich("changes.field", {
        name: t(`columns.${name}`),
        label: (words) => <span className="text-ink-soft">{words}</span>,
        value: () => <Becomes before={old.get(name) ?? "–"}>{text}</Becomes>,
      })}
    </p>
  ));
}

function Becomes({ before, children }: { before: string; children: ReactNode }) {
  const t = useTranslations("models.changes");
  return (
    <>
      <bdi className="text-ink-soft">{before}</bdi>
      <span aria-hidden="true" className="text-ink-soft">
        {" → "}
      </span>
      <span className="sr-only"> {t("becomes")} </span>
      <bdi className="font-medium">{children}</bdi>
    </>
  );
}
