"use client";

import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { Notice } from "@/components/notice";
import { StatusChip } from "@/components/status-chip";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { CheckAnswer as Answer, CheckedLimit } from "@/server/authorizations/check/schema";

/**
 * Whether a call would pass, what refuses it, and the numbers of every limit.
 * @param amount what the call may cost, in yuan.
 */
export function CheckAnswer({ answer, amount }: { answer: Answer; amount: number }) {
  const { allowed, code, limits, refusal } = answer;
  const formats = useFormats();
  const t = useTranslations("keys.check");
  const reasonOf = useReason();
  const changeOf = useChange();
  const obstacle = limits.find(({ passes }) => !passes);
  const resetsAt = refusal?.resets_at ?? null;
  return (
    <>
      <Notice tone={allowed ? "good" : "warn"} title={allowed ? t("allowed") : t("refused")}>
        {code !== null && <p>{reasonOf(code, amount, refusal)}</p>}
        {resetsAt !== null && (
          <p>
            {t(code === "open_holds" ? "firstHoldEnds" : "resets", {
              moment: formats.moment(resetsAt, { withZone: true }),
            })}
          </p>
        )}
        {obstacle && <p className="font-medium text-ink">{changeOf(obstacle)}</p>}
      </Notice>
      {limits.length > 0 && (
        <Table
          label={t("limits")}
          isCards
          head={
            <>
              <HeadCell card="name">{t("columns.limit")}</HeadCell>
              <HeadCell>{t("columns.passes")}</HeadCell>
              {(["bound", ...NUMBERS] as const).map((column) => (
                <HeadCell key={column} align="end">
                  {t(`columns.${column}`)}
                </HeadCell>
              ))}
            </>
          }
        >
          {limits.map((limit) => (
            <tr key={limit.code}>
              <Cell isHead card="name" className="whitespace-nowrap">
                {t(`names.${limit.code}`)}
              </Cell>
              <Cell card="chip">
                <StatusChip icon={limit.passes ? "check" : "ban"} tone={limit.passes ? "good" : "danger"}>
                  {limit.passes ? t("passes") : t("stops")}
                </StatusChip>
              </Cell>
              <Cell align="end" card={isBound(limit) ? "amount" : undefined} label={t("columns.bound")}>
                <Bound limit={limit} />
              </Cell>
              {NUMBERS.map((column) => (
                <Compared key={column} column={column} of={limit} />
              ))}
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

/** The numbers that are compared with a limit. */
const NUMBERS = ["spent", "held", "available", "needed"] as const;

function Compared({ column, of: limit }: { column: (typeof NUMBERS)[number]; of: CheckedLimit }) {
  const t = useTranslations("keys.check.columns");
  const value = limit[column];
  return (
    <Cell align="end" card={value === null ? undefined : "amount"} label={t(column)}>
      {value === null ? <span className="text-ink-soft">–</span> : <Value of={limit} value={value} />}
    </Cell>
  );
}

/** What is checked and has no numbers. */
const NO_LIMITS: readonly CheckedLimit["code"][] = ["account_disabled", "key_disabled", "key_expired", "unknown_model"];

/** A number of a limit: yuan, or how many authorizations. */
function Value({ of: { code }, value }: { of: CheckedLimit; value: number }) {
  const formats = useFormats();
  return code === "open_holds" ? (
    <span className="tabular-nums">{formats.count(value)}</span>
  ) : (
    <Amount yuan={value} ofCall />
  );
}

function isBound({ code }: CheckedLimit): boolean {
  return !NO_LIMITS.includes(code);
}

function Bound({ limit: checked }: { limit: CheckedLimit }) {
  const t = useTranslations("limits");
  const { limit } = checked;
  if (limit !== null) return <Value of={checked} value={limit} />;
  return <span className="text-ink-soft">{isBound(checked) ? t("unlimited") : "–"}</span>;
}

/** The sentence for why a call is refused, with the numbers. */
function useReason(): (code: NonNullable<Answer["code"]>, amount: number, refusal: Answer["refusal"]) => string {
  const t = useTranslations("keys.check");
  const reasons = useTranslations("keys.refusals.reasons");
  const formats = useFormats();
  return (code, amount, refusal) => {
    const { limit, available, price, ceiling } = refusal ?? {};
    // With all decimals, because two amounts may differ in the last one.
    const exact = (yuan: number | null | undefined) => formats.exactAmount(yuan ?? 0);
    switch (code) {
      case "input_price_limit":
      case "output_price_limit":
        return price === null
          ? t(`reasons.unknown_${code}`, { ceiling: exact(ceiling) })
          : t(`reasons.${code}`, { price: exact(price), ceiling: exact(ceiling) });
      case "budget":
      case "daily_limit":
      case "monthly_limit":
        return t(`reasons.${code}`, { amount: exact(amount), left: exact(available) });
      case "open_holds":
        return t("reasons.open_holds", { count: (limit ?? 0) - (available ?? 0), most: limit ?? 0 });
      default:
        return t("because", { reason: reasons(code) });
    }
  };
}

/** The sentence for the smallest change that would let the call pass. */
function useChange(): (obstacle: CheckedLimit) => string {
  const t = useTranslations("keys.check.changes");
  const formats = useFormats();
  return ({ code, limit, needed }) => {
    switch (code) {
      case "key_not_found":
      case "account_disabled":
      case "key_disabled":
      case "key_expired":
      case "unknown_model":
      case "open_holds":
        return t(code);
      case "input_price_limit":
      case "output_price_limit":
        if (needed === null) return t(`unknown_${code}`);
    }
    // With all decimals, because a rounded limit may be too low.
    return t(code, { from: formats.amount(limit ?? 0), to: formats.exactAmount(needed ?? 0) });
  };
}
