import type { Metadata } from "next";
import { readLocale, readWords } from "@/app/_i18n/request";
import { nameInput } from "@/app/_keys/group-name";
import { openProcedures } from "@/app/_trpc/server";
import { createFormats } from "@/components/formats";
import { loadUsageAddress, usageInputOf } from "./_components/usage-address";
import { UsageView } from "./_components/usage-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("usage"))("title") };
}

/** What the account spent. */
export default async function Page({ searchParams }: PageProps<"/usage">) {
  const { language, timeZone } = await readLocale();
  const today = createFormats(language, timeZone, new Date()).today();
  const address = await loadUsageAddress(searchParams);
  const input = usageInputOf(address, today);
  const group = nameInput(address.group ?? "");
  const { trpc, HydrateClient } = await openProcedures();
  await Promise.all([input && trpc.usage.account.prefetch(input), group && trpc.groups.names.prefetch(group)]);
  return (
    <HydrateClient>
      <UsageView />
    </HydrateClient>
  );
}
