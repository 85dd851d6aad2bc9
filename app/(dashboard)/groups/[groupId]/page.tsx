import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { leadToLastPage } from "@/app/_address/last-page";
import { readWords } from "@/app/_i18n/request";
import { listInput, loadKeysSearch } from "@/app/_keys/keys-search";
import { openProcedures } from "@/app/_trpc/server";
import type { GroupWithLimits } from "@/server/groups/schema";
import { GroupPage } from "./_components/group-page";

/** The group of this address: "missing" if there is none, undefined if it cannot be read now. */
const findGroup = cache(async (groupId: string): Promise<GroupWithLimits | "missing" | undefined> => {
  const { trpc } = await openProcedures();
  try {
    return await trpc.groups.get({ group_id: groupId });
  } catch (error) {
    // `instanceof TRPCError` would fail: the class belongs to the bundle of the server. A malformed id names no group.
    const code = error instanceof Object && "code" in error ? String(error.code) : "";
    return ["NOT_FOUND", "BAD_REQUEST"].includes(code) ? "missing" : undefined;
  }
});

export async function generateMetadata({ params }: PageProps<"/groups/[groupId]">): Promise<Metadata> {
  const group = await findGroup((await params).groupId);
  if (group === "missing") return { title: (await readWords("groups.missing"))("title") };
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
  if (group === "missing") notFound();
  await trpc.keys.list.prefetch(listInput(search, groupId));
  await leadToLastPage(`/groups/${groupId}`, searchParams, answerOf("keys", "list"));
  return (
    <HydrateClient>
      <GroupPage groupId={groupId} initial={group} />
    </HydrateClient>
  );
}
