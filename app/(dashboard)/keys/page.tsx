import type { Metadata } from "next";
import { Suspense } from "react";
import { leadToLastPage } from "@/app/_address/last-page";
import { readWords } from "@/app/_i18n/request";
import { nameInput } from "@/app/_keys/group-name";
import { listInput, loadKeysSearch } from "@/app/_keys/keys-search";
import { KeysTable } from "@/app/_keys/keys-table";
import { openProcedures } from "@/app/_trpc/server";
import { Loading } from "@/components/loading";
import { KeysPage } from "./_components/keys-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("keys"))("title") };
}

/** The heading does not wait for the keys: the browser draws it while the database is asked. */
export default async function Page({ searchParams }: PageProps<"/keys">) {
  const search = await loadKeysSearch(searchParams);
  const { trpc, HydrateClient, answerOf } = await openProcedures();
  const group = nameInput(search.group);
  const read = () =>
    Promise.all([trpc.keys.list.prefetch(listInput(search)), group && trpc.groups.names.prefetch(group)]);
  if (search.page > 1) {
    await read();
    await leadToLastPage("/keys", searchParams, answerOf("keys", "list"));
  }
  const Keys = async () => {
    if (search.page === 1) await read();
    return (
      <HydrateClient>
        <KeysTable />
      </HydrateClient>
    );
  };
  return (
    <KeysPage>
      <Suspense fallback={<Loading>{(await readWords("keys"))("loading")}</Loading>}>
        <Keys />
      </Suspense>
    </KeysPage>
  );
}
