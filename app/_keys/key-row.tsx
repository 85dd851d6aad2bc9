"use client";

import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { Checkbox } from "@/components/checkbox";
import { CopyButton } from "@/components/copy-field";
import { Cell } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { Key } from "@/server/keys/schema";
import type { Column } from "./columns";
import type { KeyAction } from "./key-action";
import { KeyMenu } from "./key-menu";
import { KeyStatusChip } from "./key-status";
import { LastUsed } from "./last-used";
import { SpendBar } from "./spend-bar";

/** One key in the table of keys. */
export function KeyRow({
  apikey,
  shown,
  isSelected,
  onSelect,
  onAct,
}: {
  apikey: Key;
  shown: Column[];
  isSelected: boolean;
  onSelect(isSelected: boolean): void;
  onAct(action: KeyAction): void;
}) {
  const t = useTranslations("keys");
  return (
    <tr aria-selected={isSelected}>
      <Cell isNarrow>
        <Checkbox
          label={t("select", { name: apikey.name })}
          state={isSelected}
          isDisabled={apikey.status === "revoked"}
          onChange={onSelect}
        />
      </Cell>
      <Cell isHead className="min-w-52">
        <span className="flex items-center gap-2">
          <Link
            href={`/keys/${encodeURIComponent(apikey.apikey_id)}`}
            prefetch={false}
            dir="auto"
            className="line-clamp-2 max-w-72 text-sm leading-6 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {apikey.name}
          </Link>
          {apikey.is_default && (
            <span className="rounded bg-panel px-1.5 py-0.5 text-xs text-ink-soft">{t("default")}</span>
          )}
        </span>
        <span className="flex items-center gap-1">
          <code className="font-mono text-xs text-ink-soft">{apikey.apikey_id}…</code>
          <CopyButton text={apikey.apikey_id} label={t("copyId", { name: apikey.name })} />
        </span>
      </Cell>
      {shown.includes("group") && (
        <Cell className="min-w-28">
          {apikey.group_id === null ? (
            <span className="text-ink-soft">{t("noGroup")}</span>
          ) : (
            <Link
              href={`/groups/${apikey.group_id}`}
              prefetch={false}
              dir="auto"
              className="line-clamp-2 max-w-48 leading-6 underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {apikey.group_name}
            </Link>
          )}
        </Cell>
      )}
      <Cell>
        <KeyStatusChip status={apikey.status} />
      </Cell>
      {shown
        .filter((column) => column !== "group")
        .map((column) => (
          <Cell key={column} align={column === "prices" ? "end" : "start"} className="whitespace-nowrap">
            <ColumnValue column={column} apikey={apikey} />
          </Cell>
        ))}
      <Cell isNarrow isKept>
        <KeyMenu apikey={apikey} onAct={onAct} />
      </Cell>
    </tr>
  );
}

function ColumnValue({ column, apikey }: { column: Exclude<Column, "group">; apikey: Key }) {
  const t = useTranslations("keys");
  const texts = useLimitTexts();
  const formats = useFormats();
  const shortPrice = (yuan: number | null) =>
    yuan ? t("shortPrice", { amount: formats.amount(yuan) }) : texts.value("input_price_limit", yuan);
  switch (column) {
    case "prices":
      if (!apikey.input_price_limit && !apikey.output_price_limit) return <Unlimited />;
      return (
        <span className="grid text-xs leading-5">
          <span>{t("priceIn", { price: shortPrice(apikey.input_price_limit) })}</span>
          <span>{t("priceOut", { price: shortPrice(apikey.output_price_limit) })}</span>
        </span>
      );
    case "created_at":
      return (
        <time dateTime={new Date(apikey.created_at * 1000).toISOString()}>{formats.moment(apikey.created_at)}</time>
      );
    case "expiry_date":
      return apikey.expiry_date === null ? (
        <span className="text-ink-soft">{texts.value(column, null)}</span>
      ) : (
        <time dateTime={apikey.expiry_date}>{texts.value(column, apikey.expiry_date)}</time>
      );
    case "last_used_at":
      return <LastUsed at={apikey.last_used_at} />;
    default:
      return <SpendBar window={column} apikey={apikey} />;
  }
}

function Unlimited() {
  const t = useTranslations("limits");
  return <span className="text-ink-soft">{t("unlimited")}</span>;
}
