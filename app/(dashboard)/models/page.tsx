import type { Metadata } from "next";
import { leadToLastPage } from "@/app/_address/last-page";
import { readWords } from "@/app/_i18n/request";
import { openProcedures } from "@/app/_trpc/server";
import { loadModelsAddress, modelsInput } from "./_components/models-address";
import { ModelsView } from "./_components/models-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("models"))("title") };
}

/** What models cost: the prices of the account and of the operator. */
export default async function ModelsPage({ searchParams }: PageProps<"/models">) {
  const { trpc, HydrateClient, answerOf } = await openProcedures();
  await trpc.models.list.prefetch(modelsInput(await loadModelsAddress(searchParams)));
  await leadToLastPage("/models", searchParams, answerOf("models", "list"));
  return (
    <HydrateClient>
      <ModelsView />
    </HydrateClient>
  );
}
