"use client";

import Link from "next/link";
import { useId } from "react";
import { useTranslations } from "use-intl/react";
import { Icon, type IconName } from "@/components/icon";
import { useFormats } from "@/components/use-formats";
import type { Overview } from "@/server/overview/schema";

type Keys = Overview["keys"];
type Counted = Keys["at_limit"];

/** Of the states that hold, the first is the one that an owner must know. */
const STATES: { name: "atLimit" | "nearLimit" | "expiring"; of(keys: Keys): Counted; icon: IconName; tone: string }[] =
  [
    { name: "atLimit", of: (keys) => keys.at_limit, icon: "gauge", tone: "text-danger" },
    { name: "nearLimit", of: (keys) => keys.near_limit, icon: "alert", tone: "text-warn" },
    { name: "expiring", of: (keys) => keys.expiring, icon: "clock", tone: "text-warn" },
  ];

const LISTS = {
  atLimit: "/keys?status=exhausted",
  nearLimit: "/keys?status=active&look=over_80",
  expiring: "/keys?look=expiring_7_days&sort=expiry_date&order=asc",
};

/** Says in one line whether any key needs the owner, beside the numbers that decide it. */
export function Verdict({ keys }: { keys: Keys }) {
  const t = useTranslations("overview.verdict");
  const figures = useTranslations("overview.figures");
  const orMore = useTranslations("overview");
  const formats = useFormats();
  const id = useId();
  const numberOf = ({ count, is_exact }: Counted) =>
    is_exact ? formats.count(count) : orMore("orMore", { count: formats.count(count) });

  const worst = STATES.find(({ of }) => of(keys).count > 0);
  const counted = worst?.of(keys) ?? { count: 0, is_exact: true };
  // The default key alone is no reason to praise.
  const calm = keys.total > 1 ? "fine" : "fresh";
  const words = { count: counted.count, number: numberOf(counted) };
  const total = { total: keys.total, number: formats.count(keys.total) };
  const icon = worst?.icon ?? (calm === "fine" ? "check" : "info");
  const tone = worst?.tone ?? (calm === "fine" ? "text-good" : "text-ink-soft");
  return (
    <section
      aria-labelledby={id}
      className="relative grid grid-cols-1 overflow-hidden rounded-xl border border-line bg-raised lg:grid-cols-[minmax(0,1fr)_auto]"
    >
      <span aria-hidden="true" className={`absolute inset-y-0 left-0 w-1 bg-current ${tone}`} />
      <div className="grid grid-cols-[auto_1fr] items-start gap-x-3 gap-y-1 py-5 pr-5 pl-6 lg:self-center">
        <Icon name={icon} className={`mt-0.5 size-6 ${tone}`} />
        <h2 id={id} className="text-xl font-semibold tracking-tight text-balance">
          {worst ? t(worst.name, words) : t(calm)}
        </h2>
        <p className="col-start-2 max-w-2xl text-sm leading-relaxed text-pretty text-ink-soft">
          {worst ? t(`${worst.name}Text`, words) : t(`${calm}Text`, total)}
        </p>
      </div>
      <ul
        aria-label={figures("name")}
        className="grid grid-cols-3 divide-x divide-line border-t border-line lg:border-t-0 lg:border-l"
      >
        {STATES.map(({ name, of, tone }) => (
          <li key={name}>
            <Link
              href={LISTS[name]}
              prefetch={false}
              className="flex h-full flex-col py-4 pr-2 pl-3 hover:bg-panel focus-visible:-outline-offset-2 sm:px-6 lg:min-w-36 lg:justify-center"
            >
              <span
                className={`text-lg leading-tight font-semibold tracking-tight tabular-nums sm:text-2xl sm:tracking-normal ${of(keys).count > 0 ? tone : "text-ink-soft"}`}
              >
                {numberOf(of(keys))}
              </span>{" "}
              <span className="text-[0.8125rem] leading-snug text-ink-soft">
                {figures(name, { count: of(keys).count })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
