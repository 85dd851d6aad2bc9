"use client";

import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { BreakableName } from "@/components/breakable-name";
import { type Sorting, sortingBy } from "@/components/sorting";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { AppRouter } from "@/server/router";
import type { Total, TotalSort, UsageBy } from "@/server/usage/schema";

/** The row of the sums stays visible at the lower edge while the table scrolls. */
const SUM = "kept-row border-t bg-panel font-medium";
/** A smaller share would be shown as none. */
const SMALLEST_SHARE = 0.001;

/** The tokens of models, the cached ones as a part of the input. */
const TOKENS = ["input_tokens", "cached_input_tokens", "output_tokens"] as const;

/** A page of what groups, keys or models spent. The last row has the sums of all pages. */
export function TotalsTable({
  label,
  by,
  found,
  isBusy,
  isPart,
  sorting,
}: {
  /** Accessible name. */
  label: string;
  by: UsageBy;
  found: inferRouterOutputs<AppRouter>["usage"]["totals"];
  /** Another page is loading. */
  isBusy: boolean;
  /** Some are filtered out, so the sum is not that of the account. */
  isPart: boolean;
  sorting: Sorting<TotalSort>;
}) {
  const t = useTranslations("usage.totals");
  const formats = useFormats();
  const share = (spent: number) => {
    const part = found.spent > 0 ? spent / found.spent : 0;
    return part > 0 && part < SMALLEST_SHARE ? `<\u00a0${formats.share(SMALLEST_SHARE)}` : formats.share(part);
  };
  const count = (tokens: number | null) =>
    tokens === null ? <span className="text-ink-soft">–</span> : formats.count(tokens);
  const tokens = by === "model" ? TOKENS : [];
  const written = formats.aligned([...found.data.map(({ spent }) => spent), found.spent]);
  return (
    <Table
      label={label}
      isBusy={isBusy}
      head={
        <>
          <HeadCell {...sortingBy("name", sorting, "asc")}>{t(`name.${by}`)}</HeadCell>
          <HeadCell align="end" {...sortingBy("spent", sorting, "desc")}>
            {t("spent")}
          </HeadCell>
          <HeadCell align="end">{t("share")}</HeadCell>
          <HeadCell align="end" {...sortingBy("captures", sorting, "desc")}>
            {t("captures")}
          </HeadCell>
          {tokens.map((name) => (
            <HeadCell key={name} align="end" {...sortingBy(name, sorting, "desc")}>
              {t(name)}
            </HeadCell>
          ))}
        </>
      }
    >
      {found.data.map((total) => (
        <tr key={total.id}>
          <Cell isHead className="min-w-28 sm:min-w-40">
            <Name by={by} total={total} />
          </Cell>
          <Cell align="end" className="font-medium">
            <Amount yuan={total.spent} written={written} />
          </Cell>
          <Cell align="end" className="text-ink-soft">
            {share(total.spent)}
          </Cell>
          <Cell align="end">{formats.count(total.captures)}</Cell>
          {tokens.map((name) => (
            <Cell key={name} align="end">
              {count(total[name])}
            </Cell>
          ))}
        </tr>
      ))}
      {found.total === 0 ? (
        <tr>
          <td colSpan={4 + tokens.length} className="px-3 py-10 text-center text-ink-soft">
            {t(`noMatch.${by}`)}
          </td>
        </tr>
      ) : (
        <tr>
          <Cell isHead className={SUM}>
            {t(isPart ? `ofThese.${by}` : `ofAll.${by}`, { count: found.total })}
          </Cell>
          <Cell align="end" className={SUM}>
            <Amount yuan={found.spent} written={written} />
          </Cell>
          <Cell align="end" className={SUM}>
            {share(found.spent)}
          </Cell>
          <Cell align="end" className={SUM}>
            {formats.count(found.captures)}
          </Cell>
          {tokens.map((name) => (
            <Cell key={name} align="end" className={SUM}>
              {count(found[name])}
            </Cell>
          ))}
        </tr>
      )}
    </Table>
  );
}

/** The name of a group or a key leads to its page, that of a model to its prices. Below a key stand its id and its group. */
function Name({ by, total: { id, name, group_name } }: { by: UsageBy; total: Total }) {
  const spend = useTranslations("spend");
  if (id === null || name === null) return <span className="text-ink-soft">{spend(`none.${by}`)}</span>;
  return (
    <>
      <Link
        href={addressOf(by, id)}
        prefetch={false}
        dir="auto"
        className="line-clamp-4 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
      >
        <BreakableName>{name}</BreakableName>
      </Link>
      {by === "key" && (
        <p className="line-clamp-2 text-xs text-ink-soft [overflow-wrap:anywhere]">
          <span className="font-mono">{id}</span> · <bdi>{group_name ?? spend("none.key")}</bdi>
        </p>
      )}
    </>
  );
}

function addressOf(by: UsageBy, id: string): string {
  switch (by) {
    case "group":
      return `/groups/${id}`;
    case "key":
      return `/keys/${encodeURIComponent(id)}`;
    case "model":
      return `/models?${new URLSearchParams({ q: id })}`;
  }
}
