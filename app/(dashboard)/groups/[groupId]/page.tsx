import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { leadToLastPage } from "@/app/_address/last-page";
import { readWords } from "@/app/_i18n/request";
import { listInput, loadKeysSearch } from "@/app/_keys/keys-search";
import { openProcedures } from "@/app/_trpc/server";
import { GroupPage } from "./_components/group-page";

/** The group of this address; undefined if it cannot be read now. */
const findGroup = cache(async (groupId: string) => {
  const { trpc } = await openProcedures();
  try {
    return await trpc.groups.get({ group_id: groupId });
  } catch (error) {
    // `instanceof TRPCError` would fail: the class belongs to the bundle of the server. A malformed id names no group.
    if (error instanceof Object && "code" in error && ["NOT_FOUND", "BAD_REQUEST"].includes(String(error.code))) {
      notFound();
    }
    return undefined;
  }
});

export async function generateMetadata({ params }: PageProps<"/groups/[groupId]">): Promise<Metadata> {
  const group = await findGroup((await params).groupId);
  return { title: group?.name ?? (await readWords("groups"))("title") };
}

/** Reads one group and the first page of its keys. */
export default async function Page({ params, searchParams }: PageProps<"/groups/[groupId]">) {
  const { groupId } = await params;
  const [group, search, { trpc, HydrateClient, answerOf }] = await Promise.all([
    findGroup(groupId),
    loadKeysSearch(searchParams),
    openProcedures(),
  ]);
  await trpc.keys.list.prefetch(listInput(search, groupId));
  await leadToLastPage(`/groups/${groupId}`, searchParams, answerOf("keys", "list"));
  return (
    <HydrateClient>
      <GroupPage groupId={groupId} initial={group} />
    </HydrateClient>
  );
}
