"use client";

import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { Notice } from "@/components/notice";
import { StatusChip } from "@/components/status-chip";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { CheckAnswer as Answer, CheckedLimit } from "@/server/authorizations/schema";

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
          head={
            <>
              <HeadCell>{t("columns.limit")}</HeadCell>
              <HeadCell>{t("columns.passes")}</HeadCell>
              {(["bound", "spent", "held", "available", "needed"] as const).map((column) => (
                <HeadCell key={column} align="end">
                  {t(`columns.${column}`)}
                </HeadCell>
              ))}
            </>
          }
        >
          {limits.map((limit) => (
            <tr key={limit.code}>
              <Cell isHead className="whitespace-nowrap">
                {t(`names.${limit.code}`)}
              </Cell>
              <Cell>
                <StatusChip icon={limit.passes ? "check" : "ban"} tone={limit.passes ? "good" : "danger"}>
                  {limit.passes ? t("passes") : t("stops")}
                </StatusChip>
              </Cell>
              <Cell align="end">
                <Bound limit={limit} />
              </Cell>
              {[limit.spent, limit.held, limit.available, limit.needed].map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the place is the column
                <Cell key={index} align="end">
                  {value === null ? <span className="text-ink-soft">–</span> : <Value of={limit} value={value} />}
                </Cell>
              ))}
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

/** A number of a limit: yuan, or how many authorizations. */
function Value({ of: { code }, value }: { of: CheckedLimit; value: number }) {
  const formats = useFormats();
  return code === "open_holds" ? (
    <span className="tabular-nums">{formats.count(value)}</span>
  ) : (
    <Amount yuan={value} ofCall />
  );
}

function Bound({ limit: checked }: { limit: CheckedLimit }) {
  const t = useTranslations("limits");
  const { code, limit } = checked;
  if (limit !== null) return <Value of={checked} value={limit} />;
  const isLimit = code !== "account_disabled" && code !== "key_disabled" && code !== "key_expired";
  return <span className="text-ink-soft">{isLimit ? t("unlimited") : "–"}</span>;
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
