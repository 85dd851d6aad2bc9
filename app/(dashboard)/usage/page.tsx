import type { Metadata } from "next";
import { readLocale, readWords } from "@/app/_i18n/request";
import { nameInput } from "@/app/_keys/group-name";
import { openProcedures } from "@/app/_trpc/server";
import { createFormats } from "@/components/formats";
import { loadUsageAddress, monthBefore, totalsInputOf, usageInputOf, usageOfDays } from "./_components/usage-address";
import { UsageView } from "./_components/usage-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("usage"))("title") };
}

/** What the account spent. The page does not wait for the figures: they follow when the database has them. */
export default async function Page({ searchParams }: PageProps<"/usage">) {
  const { language, timeZone } = await readLocale();
  const today = createFormats(language, timeZone, new Date()).today();
  const address = await loadUsageAddress(searchParams);
  const { trpc, HydrateClient } = await openProcedures();
  const before = monthBefore(address, today);
  for (const input of [usageInputOf(address, today), before && usageOfDays(address, before)]) {
    if (input) void trpc.usage.account.prefetch(input);
  }
  const totals = totalsInputOf(address, today);
  if (totals) void trpc.usage.totals.prefetch(totals);
  const group = nameInput(address.group ?? "");
  if (group) void trpc.groups.names.prefetch(group);
  return (
    <HydrateClient>
      <UsageView />
    </HydrateClient>
  );
}
