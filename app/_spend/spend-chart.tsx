"use client";

import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import { useTranslations } from "use-intl/react";
import { BreakableAmount } from "@/components/breakable-amount";
import { useFormats } from "@/components/use-formats";
import { axisTicks } from "./scale";
import { fillOf, HatchPattern, LINE_DASHES, LineSwatch, Swatch } from "./series-colours";
import type { SpendColumn, SpendTable } from "./spend-table";

/** How much of the width of a day its bar takes, and at most of the width of the chart. */
const BAR_SHARE = 0.72;
const WIDEST_BAR = 0.08;
/** With this many days or more, the bars are too narrow for lines between their parts. */
const NARROW_FROM = 100;
const DAYS_OF_PAGE_KEY = 7;
const LABELS = 6;

/** Other days to compare with, as many or fewer. The first one stands beside the first one of the chart. */
export interface SpendBefore {
  /** What these days are, for example "Oct 1 – 22". */
  label: string;
  days: string[];
  /** One amount for each of the days. */
  totals: number[];
}

/**
 * A bar for each day, stacked by group or key, with the largest at the bottom, and a line for the days before. The pointer
 * shows the figures of a day. The arrow keys move from day to day.
 */
export function SpendChart({
  label,
  table,
  before,
  nameOf,
}: {
  /** Accessible name. */
  label: string;
  table: SpendTable;
  before?: SpendBefore | undefined;
  nameOf(column: SpendColumn): string;
}) {
  const t = useTranslations("spend");
  const formats = useFormats();
  const { days, columns, totals } = table;
  const [chosen, setChosen] = useState(days.length - 1);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // The range may be shorter than before.
  const at = Math.min(chosen, days.length - 1);

  const ticks = axisTicks(Math.max(...totals, ...(before?.totals ?? [])));
  const top = ticks.at(-1) || 1;
  const figures = columns
    .map((column, place) => ({ column, place, spent: column.spent[at] ?? 0 }))
    .filter(({ spent }) => spent > 0);

  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const day = Math.floor(((event.clientX - left) / width) * days.length);
    setChosen(Math.max(0, Math.min(day, days.length - 1)));
    setPointed(true);
  };
  const walk = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setFocused(false);
    const next = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - DAYS_OF_PAGE_KEY,
      PageUp: at + DAYS_OF_PAGE_KEY,
      Home: 0,
      End: days.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setFocused(true);
    setChosen(Math.max(0, Math.min(next, days.length - 1)));
  };

  const day = formats.date(days[at] ?? "");
  const dayBefore = before?.days[at];
  const said = [
    t("ofDay", { day, amount: formats.amount(totals[at] ?? 0) }),
    ...(columns.length > 1
      ? figures.map(({ column, spent }) => t("ofDay", { day: nameOf(column), amount: formats.amount(spent) }))
      : []),
    ...(dayBefore
      ? [t("ofDay", { day: formats.date(dayBefore), amount: formats.amount(before?.totals[at] ?? 0) })]
      : []),
  ];
  const isShown = isPointed || isFocused;
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2 text-xs text-ink-soft tabular-nums">
      <AxisOfAmounts ticks={ticks} top={top} />
      <div className="relative h-56 sm:h-64">
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={at + 1}
          aria-valuetext={said.join("; ")}
          className="absolute inset-0 touch-pan-y rounded"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(false)}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onKeyDown={walk}
        >
          <Bars table={table} before={before?.totals ?? []} ticks={ticks} top={top} marked={isShown ? at : undefined} />
        </div>
        {isShown && (
          <div
            aria-hidden="true"
            // It stands beside the day, or below the chart on a narrow screen.
            style={placeOf(at, days.length)}
            className="pointer-events-none absolute inset-x-0 top-full z-10 mx-1 min-w-32 rounded-xl border border-line bg-raised p-3 text-[0.8125rem] text-ink shadow-floating sm:top-0 sm:right-(--end) sm:left-(--start) sm:w-60"
          >
            <p className="flex flex-wrap justify-between gap-x-3 font-medium">
              <span>{day}</span>
              <FigureOfDay yuan={totals[at] ?? 0} />
            </p>
            {columns.length > 1 && figures.length > 0 && (
              <ul className="mt-1.5 grid grid-cols-1 gap-0.5 text-xs">
                {figures.map(({ column, place, spent }) => (
                  <li key={column.id ?? String(column.isRest)} className="flex items-center gap-1.5">
                    <Swatch place={place} isRest={column.isRest} />
                    <span className="min-w-0 flex-1 truncate">
                      <bdi>{nameOf(column)}</bdi>
                    </span>
                    <FigureOfDay yuan={spent} />
                  </li>
                ))}
              </ul>
            )}
            {dayBefore && (
              <p className="mt-1.5 flex items-center gap-1.5 text-xs text-ink-soft">
                <LineSwatch />
                <span className="flex-1">{formats.date(dayBefore)}</span>
                <FigureOfDay yuan={before?.totals[at] ?? 0} />
              </p>
            )}
          </div>
        )}
      </div>
      <AxisOfDays days={days} />
    </div>
  );
}

/** The largest amounts are wider than the figures of a day on a narrow screen. */
function FigureOfDay({ yuan }: { yuan: number }) {
  return (
    <span className="min-w-0 text-right">
      <BreakableAmount>{useFormats().amount(yuan)}</BreakableAmount>
    </span>
  );
}

/** The figures stand to the right of a day in the first half, and to the left of a day in the second half. */
function placeOf(day: number, days: number): CSSProperties & Record<`--${string}`, string> {
  return day < days / 2
    ? { "--start": `${((day + 1) / days) * 100}%`, "--end": "auto" }
    : { "--start": "auto", "--end": `${(1 - day / days) * 100}%` };
}

function Bars({
  table: { days, columns },
  before,
  ticks,
  top,
  marked,
}: {
  table: SpendTable;
  before: number[];
  ticks: number[];
  top: number;
  marked: number | undefined;
}) {
  const id = useId();
  const percent = (part: number) => `${part * 100}%`;
  const share = Math.min(BAR_SHARE, WIDEST_BAR * days.length);
  const fills = columns.map(({ isRest }, place) => fillOf(place, isRest));
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
      <defs>
        {fills.map(({ colour, isHatched }, place) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a fill belongs to a place
          isHatched ? <HatchPattern key={place} id={`${id}-${place}`} colour={colour} /> : null,
        )}
      </defs>
      {marked !== undefined && (
        <rect x={percent(marked / days.length)} width={percent(1 / days.length)} height="100%" fill="var(--panel)" />
      )}
      {ticks.map((tick) => (
        <line key={tick} x2="100%" y1={percent(1 - tick / top)} y2={percent(1 - tick / top)} stroke="var(--line)" />
      ))}
      {days.map((day, index) => {
        let below = 0;
        return columns.map(({ spent }, place) => {
          const part = (spent[index] ?? 0) / top;
          if (part === 0) return null;
          below += part;
          const fill = fills[place];
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a part belongs to a place
              key={`${day}-${place}`}
              x={percent((index + (1 - share) / 2) / days.length)}
              width={percent(share / days.length)}
              y={percent(1 - below)}
              height={percent(part)}
              fill={fill?.isHatched ? `url(#${id}-${place})` : fill?.colour}
              {...(days.length < NARROW_FROM && columns.length > 1 && { stroke: "var(--raised)" })}
            />
          );
        });
      })}
      {/* The line stands out from the bars by a margin in the colour of the page. */}
      {[
        { stroke: "var(--raised)", strokeWidth: 4 },
        { stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: LINE_DASHES },
      ].map((style) => (
        <g key={style.stroke} {...style}>
          {before.map((spent, index) => {
            // A single day has no line to the next one, so it has a short one across its bar.
            const [start, end] = before.length === 1 ? [0.5 - share, 0.5 + share] : [0.5, 1.5];
            if (index > 0 && index === before.length - 1) return null;
            return (
              <line
                // biome-ignore lint/suspicious/noArrayIndexKey: a line belongs to a day
                key={index}
                x1={percent((index + start) / days.length)}
                x2={percent((index + end) / days.length)}
                y1={percent(1 - spent / top)}
                y2={percent(1 - (before[index + 1] ?? spent) / top)}
              />
            );
          })}
        </g>
      ))}
    </svg>
  );
}

/** The amounts stand with all decimals. Rounded, those of a chart of very little would be the same for several lines. */
function AxisOfAmounts({ ticks, top }: { ticks: number[]; top: number }) {
  const formats = useFormats();
  return (
    <div aria-hidden="true" className="relative text-right">
      {/* Makes the axis as wide as its longest label. */}
      <span className="invisible grid">
        {ticks.map((tick) => (
          <span key={tick} className="h-0">
            {formats.exactAmount(tick)}
          </span>
        ))}
      </span>
      {ticks.map((tick) => (
        <span
          key={tick}
          className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
          style={{ top: `${(1 - tick / top) * 100}%` }}
        >
          {formats.exactAmount(tick)}
        </span>
      ))}
    </div>
  );
}

/** Beside large amounts little width is left for the days: then every second label has room, or every fourth one. */
function shownFrom(place: number): string {
  if (place % 2 === 1) return "@max-md:hidden";
  return place % 4 === 2 ? "@max-[12rem]:hidden" : "";
}

function AxisOfDays({ days }: { days: string[] }) {
  const formats = useFormats();
  const step = Math.ceil(days.length / LABELS);
  return (
    <div aria-hidden="true" className="@container relative col-start-2 mt-2 h-4">
      {days.map((day, index) =>
        index % step === 0 ? (
          <span
            key={day}
            className={`absolute -translate-x-1/2 whitespace-nowrap ${shownFrom(index / step)}`}
            style={{ left: `${((index + 0.5) / days.length) * 100}%` }}
          >
            {formats.shortDate(day)}
          </span>
        ) : null,
      )}
    </div>
  );
}
