import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readLocale, readWords } from "@/app/_i18n/request";
import { openProcedures } from "@/app/_trpc/server";
import { createFormats } from "@/components/formats";
import type { FoundKey } from "@/server/keys/schema";
import { KeyPage } from "./_components/key-page";
import { lastDays } from "./_components/last-days";
import { OPEN_PAGE_SIZE } from "./_components/open-page";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("keys"))("one") };
}

export default async function Page({ params }: PageProps<"/keys/[apikeyId]">) {
  const apikeyId = decodeURIComponent((await params).apikeyId);
  const { trpc, HydrateClient } = await openProcedures();
  let initial: FoundKey | undefined;
  try {
    initial = await trpc.keys.get({ apikey_id: apikeyId });
  } catch (error) {
    // After any other error the browser asks again and shows why.
    if (error instanceof Object && "code" in error && error.code === "NOT_FOUND") notFound();
  }
  const { language, timeZone } = await readLocale();
  const range = lastDays(createFormats(language, timeZone, new Date()).today());
  await Promise.all([
    trpc.usage.key.prefetch({ apikey_id: apikeyId, ...range }),
    trpc.usage.refusals.prefetch({ apikey_id: apikeyId, ...range }),
    trpc.authorizations.list.prefetch({ apikey_id: apikeyId, page: 1, page_size: OPEN_PAGE_SIZE }),
  ]);
  return (
    <HydrateClient>
      <KeyPage apikeyId={apikeyId} initial={initial} />
    </HydrateClient>
  );
}
