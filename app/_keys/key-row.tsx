"use client";

import Link from "next/link";
import { memo } from "react";
import { useTranslations } from "use-intl/react";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { Checkbox } from "@/components/checkbox";
import { CopyButton } from "@/components/copy-field";
import { MenuButton, type Opened } from "@/components/menu";
import { Cell } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { Key } from "@/server/keys/schema";
import type { ColumnAmounts } from "./column-amounts";
import { type Column, isAmount } from "./columns";
import { KeyStatusChip } from "./key-status";
import { LastUsed } from "./last-used";
import { SpendBar } from "./spend-bar";

/**
 * One key in the table of keys. A page has up to a hundred of them, so each element counts, and a row is drawn again only when
 * one of these properties is another one.
 */
export const KeyRow = memo(function KeyRow({
  apikey,
  shown,
  amounts,
  isSelected,
  onSelect,
  menuId,
  isMenuOpen,
  onOpenMenu,
}: {
  apikey: Key;
  shown: Column[];
  amounts: ColumnAmounts;
  isSelected: boolean;
  onSelect(apikey: Key, isSelected: boolean): void;
  /** The menu that all rows share. */
  menuId: string;
  /** Whether the menu is open, and for this key. */
  isMenuOpen: boolean;
  onOpenMenu(apikeyId: string, opened: Opened): void;
}) {
  const t = useTranslations("keys");
  return (
    <tr aria-selected={isSelected}>
      <Cell isNarrow card="tick">
        <Checkbox
          label={t("select", { name: apikey.name })}
          state={isSelected}
          isDisabled={apikey.status === "revoked"}
          onChange={(isTicked) => onSelect(apikey, isTicked)}
        />
      </Cell>
      <Cell isHead card="name" className="sm:min-w-52">
        <Link
          href={`/keys/${encodeURIComponent(apikey.apikey_id)}`}
          prefetch={false}
          dir="auto"
          className="row-link key-name"
        >
          {apikey.name}
        </Link>
        <span className="key-id">
          <code>{apikey.apikey_id}…</code>
          <CopyButton text={apikey.apikey_id} label={t("copyId", { name: apikey.name })} />
          {apikey.is_default && (
            <span className="rounded bg-panel px-1.5 py-0.5 text-xs text-ink-soft forced-colors:border">
              {t("default")}
            </span>
          )}
        </span>
      </Cell>
      {shown.includes("group") && (
        <Cell className="min-w-28">
          {apikey.group_id === null ? (
            <span className="text-ink-soft">{t("noGroup")}</span>
          ) : (
            <Link href={`/groups/${apikey.group_id}`} prefetch={false} dir="auto" className="row-link">
              {apikey.group_name}
            </Link>
          )}
        </Cell>
      )}
      <Cell card="state">
        <KeyStatusChip apikey={apikey} />
      </Cell>
      {shown
        .filter((column) => column !== "group")
        .map((column) => (
          <ColumnCell key={column} column={column} apikey={apikey} amounts={amounts} />
        ))}
      <Cell isNarrow isKept card="menu">
        <MenuButton
          menuId={menuId}
          label={t("menuOf", { name: apikey.name })}
          isOpen={isMenuOpen}
          onOpen={(opened) => onOpenMenu(apikey.apikey_id, opened)}
        />
      </Cell>
    </tr>
  );
});

function ColumnCell(props: { column: Exclude<Column, "group">; apikey: Key; amounts: ColumnAmounts }) {
  const t = useTranslations("keys.columns");
  const { column } = props;
  if (!isAmount(column)) {
    return (
      <Cell className="whitespace-nowrap">
        <ColumnValue {...props} />
      </Cell>
    );
  }
  const isSpend = column !== "prices";
  return (
    <Cell align="end" {...(isSpend && { card: "amount" as const, label: t(column) })}>
      <ColumnValue {...props} />
    </Cell>
  );
}

function ColumnValue({
  column,
  apikey,
  amounts,
}: {
  column: Exclude<Column, "group">;
  apikey: Key;
  amounts: ColumnAmounts;
}) {
  const t = useTranslations("keys");
  const texts = useLimitTexts();
  const formats = useFormats();
  switch (column) {
    case "prices": {
      const { input_price_limit: input, output_price_limit: output } = apikey;
      if (!input && !output) return <Soft>{texts.value("input_price_limit", null)}</Soft>;
      const price = (yuan: number | null) =>
        yuan ? t("shortPrice", { amount: amounts.price(yuan) }) : texts.value("input_price_limit", null);
      return (
        <>
          <span className="block text-xs leading-5">{t("priceIn", { price: price(input) })}</span>
          <span className="block text-xs leading-5">{t("priceOut", { price: price(output) })}</span>
        </>
      );
    }
    case "created_at":
      return (
        <time dateTime={new Date(apikey.created_at * 1000).toISOString()}>{formats.moment(apikey.created_at)}</time>
      );
    case "expiry_date":
      if (apikey.expiry_date === null) return <Soft>{texts.value(column, null)}</Soft>;
      return <time dateTime={apikey.expiry_date}>{texts.value(column, apikey.expiry_date)}</time>;
    case "last_used_at":
      return <LastUsed at={apikey.last_used_at} />;
    default:
      return <SpendBar window={column} apikey={apikey} amounts={amounts[column]} />;
  }
}

function Soft({ children }: { children: string }) {
  return <span className="text-ink-soft">{children}</span>;
}
