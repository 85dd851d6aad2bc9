"use client";

import { type ReactNode, useMemo, useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { Icon } from "@/components/icon";
import type { Ceiling, Limits } from "@/server/limits/schema";
import { allowedModels, ceilingsOf } from "@/server/prices/allowed";
import { comparedModel } from "./compared-model";
import { ModelChoice } from "./model-choice";

/** Two price ceilings, in yuan per million tokens. */
type PriceCeilings = Pick<Limits, Ceiling>;

const FRESH_MS = 60_000;

export interface AllowedModelsProps {
  /** Undefined while what is typed is no price. */
  ceilings: PriceCeilings | undefined;
  /** The ceilings that are set now. With them it says what comes and what goes. */
  before?: PriceCeilings | undefined;
  /** The other ceiling is not known, so that fewer models may be allowed. */
  isAtMost?: boolean;
  /** Stands here where no model has a price. */
  empty?: ReactNode;
}

/** Says how many models price ceilings allow, and lists them when it is opened. */
export function AllowedModels({ ceilings, before, isAtMost = false, empty }: AllowedModelsProps) {
  const t = useTranslations("ceilings");
  const [isOpen, setOpen] = useState(false);
  const { data } = trpc.ceilings.modelsInForce.useQuery(undefined, { staleTime: FRESH_MS });
  const models = useMemo(() => data?.data.map(comparedModel), [data]);
  if (!models) return null;
  if (models.length === 0) return empty;
  const found = ceilings && allowedModels(models, ceilingsOf(ceilings), before && ceilingsOf(before));
  if (!found) return <p className="py-1 text-[0.8125rem] leading-5 text-ink-soft">{t("incomplete")}</p>;
  const { allowed, coming, going } = found;
  const total = models.length;
  return (
    <details
      className="group text-[0.8125rem]"
      // It is rendered anew after a ceiling was no price for a moment.
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-6 cursor-pointer list-none items-start gap-1.5 rounded-md py-1 leading-5 [&::-webkit-details-marker]:hidden">
        <Icon
          name="chevron-right"
          className="mt-[3px] size-3.5 text-ink-soft transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        <span aria-live="polite" className="flex flex-wrap gap-x-2">
          <span className="font-medium">
            {allowed.length === total
              ? t("allowsAll", { total })
              : t(isAtMost ? "allowsAtMost" : "allows", { allowed: allowed.length, total })}
          </span>
          {coming.length > 0 && <span className="text-good">{t("coming", { count: coming.length })}</span>}
          {going.length > 0 && <span className="text-warn">{t("going", { count: going.length })}</span>}
        </span>
      </summary>
      {isOpen && (
        <div className="mt-2">
          <ModelChoice lists={found} hasChange={before !== undefined} />
        </div>
      )}
    </details>
  );
}
