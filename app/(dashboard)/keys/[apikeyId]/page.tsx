import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { createFormats } from "../../../../components/formats";
import { readLocale, readWords } from "../../../_i18n/request";
import { openProcedures } from "../../../_trpc/server";
import { KeyPage } from "./_components/key-page";
import { lastDays } from "./_components/last-days";
import { OPEN_PAGE_SIZE } from "./_components/open-page";

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
  const { language, timeZone } = await readLocale();
  const range = lastDays(createFormats(language, timeZone, new Date()).today());
  await Promise.all([
    trpc.keys.get.prefetch({ apikey_id: apikeyId }),
    trpc.usage.key.prefetch({ apikey_id: apikeyId, ...range }),
    trpc.usage.refusals.prefetch({ apikey_id: apikeyId, ...range }),
    trpc.authorizations.list.prefetch({ apikey_id: apikeyId, page: 1, page_size: OPEN_PAGE_SIZE }),
  ]);
  return (
    <HydrateClient>
      <KeyPage apikeyId={apikeyId} />
    </HydrateClient>
  );
}
