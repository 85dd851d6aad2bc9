"use client";

import { useQueryStates } from "nuqs";
import { useTimeZone, useTranslations } from "use-intl/react";
import { PageHeading } from "@/components/page-heading";
import { useFormats } from "@/components/use-formats";
import { DaysSection } from "./days-section";
import { TotalsSection } from "./totals-section";
import { usageAddress, usageInputOf } from "./usage-address";
import { UsageFilters } from "./usage-filters";

/** The spend of the account: by day, and of every group or key. */
export function UsageView() {
  const t = useTranslations("usage");
  const today = useFormats().today();
  const [address, setAddress] = useQueryStates(usageAddress, { history: "push" });
  const input = usageInputOf(address, today);
  return (
    <>
      <PageHeading title={t("title")} description={t("description", { zone: useTimeZone() ?? "UTC" })} />
      <div className="grid grid-cols-1 gap-5">
        <UsageFilters address={address} setAddress={setAddress} today={today} isRefused={!input} />
        {input && (
          <>
            <DaysSection address={address} setAddress={setAddress} input={input} today={today} />
            <TotalsSection address={address} setAddress={setAddress} input={input} />
          </>
        )}
      </div>
    </>
  );
}
