import type { Metadata } from "next";
import { leadToLastPage } from "@/app/_address/last-page";
import { readLocale, readWords } from "@/app/_i18n/request";
import { nameInput } from "@/app/_keys/group-name";
import { openProcedures } from "@/app/_trpc/server";
import { createFormats } from "@/components/formats";
import { eventsInput, loadHistoryAddress } from "./_components/history-address";
import { HistoryView } from "./_components/history-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("history"))("title") };
}

/** The history of the account: who changed what, when and from where. */
export default async function HistoryPage({ searchParams }: PageProps<"/history">) {
  const address = await loadHistoryAddress(searchParams);
  const { language, timeZone } = await readLocale();
  const today = createFormats(language, timeZone, new Date()).today();
  const { trpc, HydrateClient, answerOf } = await openProcedures();
  const group = nameInput(address.group ?? "");
  await Promise.all([
    trpc.history.list.prefetch(eventsInput(address, today)),
    group && trpc.groups.names.prefetch(group),
  ]);
  await leadToLastPage("/history", searchParams, answerOf("history", "list"));
  return (
    <HydrateClient>
      <HistoryView />
    </HydrateClient>
  );
}
