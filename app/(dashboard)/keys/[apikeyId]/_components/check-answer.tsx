"use client";

import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { Notice } from "@/components/notice";
import { StatusChip } from "@/components/status-chip";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { CheckAnswer as Answer, CheckedLimit } from "@/server/authorizations/schema";

/** Whether a call would pass, what refuses it, and the numbers of every limit. */
export function CheckAnswer({ answer: { allowed, code, limits } }: { answer: Answer }) {
  const t = useTranslations("keys.check");
  const reasons = useTranslations("keys.refusals.reasons");
  const changeOf = useChange();
  const obstacle = limits.find(({ passes }) => !passes);
  return (
    <>
      <Notice tone={allowed ? "good" : "warn"} title={allowed ? t("allowed") : t("refused")}>
        {code !== null && <p>{t("because", { reason: reasons(code) })}</p>}
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

/** What is checked and has no numbers. */
const NO_LIMITS: readonly CheckedLimit["code"][] = ["account_disabled", "key_disabled", "key_expired", "unknown_model"];

/** A number of a limit: yuan, or how many authorizations. */
function Value({ of: { code }, value }: { of: CheckedLimit; value: number }) {
  const formats = useFormats();
  return code === "open_holds" ? <span className="tabular-nums">{formats.count(value)}</span> : <Amount yuan={value} />;
}

function Bound({ limit: checked }: { limit: CheckedLimit }) {
  const t = useTranslations("limits");
  const { code, limit } = checked;
  if (limit !== null) return <Value of={checked} value={limit} />;
  const isLimit = !NO_LIMITS.includes(code);
  return <span className="text-ink-soft">{isLimit ? t("unlimited") : "–"}</span>;
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
