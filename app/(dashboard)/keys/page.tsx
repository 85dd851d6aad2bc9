import type { Metadata } from "next";
import { leadToLastPage } from "@/app/_address/last-page";
import { readWords } from "@/app/_i18n/request";
import { nameInput } from "@/app/_keys/group-name";
import { listInput, loadKeysSearch } from "@/app/_keys/keys-search";
import { openProcedures } from "@/app/_trpc/server";
import { KeysPage } from "./_components/keys-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("keys"))("title") };
}

export default async function Page({ searchParams }: PageProps<"/keys">) {
  const search = await loadKeysSearch(searchParams);
  const { trpc, HydrateClient, answerOf } = await openProcedures();
  const group = nameInput(search.group);
  await Promise.all([trpc.keys.list.prefetch(listInput(search)), group && trpc.groups.names.prefetch(group)]);
  await leadToLastPage("/keys", searchParams, answerOf("keys", "list"));
  return (
    <HydrateClient>
      <KeysPage />
    </HydrateClient>
  );
}
