import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { readWords } from "@/app/_i18n/request";
import { listInput, loadKeysSearch } from "@/app/_keys/keys-search";
import { openProcedures } from "@/app/_trpc/server";
import { GroupPage } from "./_components/group-page";

/** The group of this address; undefined where it cannot be read at this moment. */
const findGroup = cache(async (groupId: string) => {
  const { trpc } = await openProcedures();
  try {
    return await trpc.groups.get({ group_id: groupId });
  } catch (error) {
    // By name: the class of the error belongs to the server's bundle. What is no id names no group either.
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

/** One group: what it is, the limits that its keys share, its keys. */
export default async function Page({ params, searchParams }: PageProps<"/groups/[groupId]">) {
  const { groupId } = await params;
  const [group, search, { trpc, HydrateClient }] = await Promise.all([
    findGroup(groupId),
    loadKeysSearch(searchParams),
    openProcedures(),
  ]);
  await trpc.keys.list.prefetch(listInput(search, groupId));
  return (
    <HydrateClient>
      <GroupPage groupId={groupId} initial={group} />
    </HydrateClient>
  );
}
