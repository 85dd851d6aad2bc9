"use client";

import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import type { IconName } from "@/components/icon";
import { bdi } from "@/components/isolate";
import { StatusChip, type Tone } from "@/components/status-chip";
import { Cell } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { Activity, ActivityKind } from "@/server/authorizations/activity/schema";

const CHIPS: Record<ActivityKind, { icon: IconName; tone: Tone }> = {
  captured: { icon: "check", tone: "good" },
  refused: { icon: "ban", tone: "danger" },
  voided: { icon: "minus", tone: "neutral" },
  expired: { icon: "clock", tone: "warn" },
};

/** One call: when, what became of it, what was asked for and captured, and why it was refused. */
export function ActivityRow({ activity }: { activity: Activity }) {
  const t = useTranslations("keys.activity");
  const reason = useReason();
  const account = useTranslations("keys.open")("account");
  const components = useTranslations("components");
  const formats = useFormats();
  const { at, kind, amount, captured, overrun, late, model, usage, request_id, gateway } = activity;
  const notes = [reason(activity), overrun && t("overrun"), late && t("late")]
    .filter((note) => typeof note === "string")
    .reduce((first, second) => (first ? components("sentences", { first, second }) : second), "");
  return (
    <tr>
      <Cell isHead card="name" className="text-left whitespace-nowrap tabular-nums">
        <time dateTime={new Date(at * 1000).toISOString()}>{formats.moment(at, { withSeconds: true })}</time>
      </Cell>
      <Cell card="chip">
        <StatusChip {...CHIPS[kind]}>{t(`kinds.${kind}`)}</StatusChip>
      </Cell>
      <Cell align="end" card="amount" label={t("columns.amount")}>
        {amount === null ? <span className="text-ink-soft">–</span> : <Amount yuan={amount} ofCall />}
      </Cell>
      <Cell align="end" card={captured === null ? undefined : "amount"} label={t("columns.captured")}>
        {captured === null ? <span className="text-ink-soft">–</span> : <Amount yuan={captured} ofCall />}
      </Cell>
      <Cell card={model === null ? undefined : "state"} className="min-w-40 [overflow-wrap:anywhere]">
        {model === null ? <span className="text-ink-soft">–</span> : bdi(model)}
        {usage && (
          <p className="text-[0.8125rem] text-ink-soft tabular-nums">
            {t("tokens", { input: usage.input_tokens, output: usage.output_tokens })}
          </p>
        )}
      </Cell>
      <Cell card={notes ? "state" : undefined} className="min-w-48">
        {notes || <span className="text-ink-soft">–</span>}
      </Cell>
      <Cell {...(request_id !== null && { className: "max-w-60 min-w-40 [overflow-wrap:anywhere]" })}>
        {request_id === null ? <span className="text-ink-soft">–</span> : <bdi>{request_id}</bdi>}
      </Cell>
      <Cell
        card="amount"
        label={t("columns.gateway")}
        className={gateway === null ? "text-ink-soft" : "[overflow-wrap:anywhere]"}
      >
        {gateway ?? account}
      </Cell>
    </tr>
  );
}

/** The sentence for why a call was refused; undefined: it was not. */
function useReason(): (call: Pick<Activity, "code" | "price" | "ceiling">) => string | undefined {
  const t = useTranslations("keys.activity.prices");
  const reasons = useTranslations("keys.refusals.reasons");
  const formats = useFormats();
  return ({ code, price, ceiling }) => {
    if (code === null) return undefined;
    const isOfPrice = code === "input_price_limit" || code === "output_price_limit";
    // Refusals that an older version has written have no ceiling.
    if (!isOfPrice || ceiling === null) return reasons(code);
    // With all decimals, because the two may differ in the last one.
    const bound = formats.exactAmount(ceiling);
    return price === null
      ? t(`unknown_${code}`, { ceiling: bound })
      : t(code, { price: formats.exactAmount(price), ceiling: bound });
  };
}
