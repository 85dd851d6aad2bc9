import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readWords } from "../../../_i18n/request";
import { openProcedures } from "../../../_trpc/server";
import { KeyPage } from "./_components/key-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("keys"))("one") };
}

export default async function Page({ params }: PageProps<"/keys/[apikeyId]">) {
  const apikeyId = decodeURIComponent((await params).apikeyId);
  const { trpc, HydrateClient } = await openProcedures();
  try {
    await trpc.keys.get({ apikey_id: apikeyId });
  } catch (error) {
    if (error instanceof Object && "code" in error && error.code === "NOT_FOUND") notFound();
  }
  await trpc.keys.get.prefetch({ apikey_id: apikeyId });
  return (
    <HydrateClient>
      <KeyPage apikeyId={apikeyId} />
    </HydrateClient>
  );
}
