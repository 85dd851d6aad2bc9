import type { Metadata } from "next";
import { leadToLastPage } from "@/app/_address/last-page";
import { readWords } from "@/app/_i18n/request";
import { openProcedures } from "@/app/_trpc/server";
import { groupsInput, loadGroupsAddress } from "./_components/groups-address";
import { GroupsView } from "./_components/groups-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("groups"))("title") };
}

/** Reads the list of groups. */
export default async function GroupsPage({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const { trpc, HydrateClient, answerOf } = await openProcedures();
  await trpc.groups.search.prefetch(groupsInput(await loadGroupsAddress(searchParams)));
  await leadToLastPage("/groups", searchParams, answerOf("groups", "search"));
  return (
    <HydrateClient>
      <GroupsView />
    </HydrateClient>
  );
}
