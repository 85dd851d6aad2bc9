import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { readLocale, readWords } from "@/app/_i18n/request";
import { openProcedures } from "@/app/_trpc/server";
import { createFormats } from "@/components/formats";
import type { FoundKey } from "@/server/keys/schema";
import { ACTIVITY_PAGE_SIZE } from "./_components/activity-size";
import { KeyPage } from "./_components/key-page";
import { lastDays } from "./_components/last-days";
import { OPEN_PAGE_SIZE } from "./_components/open-page";

/** The key of this address: "missing" if there is none, undefined if it cannot be read now. */
const findKey = cache(async (apikeyId: string): Promise<FoundKey | "missing" | undefined> => {
  const { trpc } = await openProcedures();
  try {
    return await trpc.keys.get({ apikey_id: apikeyId });
  } catch (error) {
    // `instanceof TRPCError` would fail: the class belongs to the bundle of the server.
    const isMissing = error instanceof Object && "code" in error && error.code === "NOT_FOUND";
    // After any other error the browser asks again and shows why.
    return isMissing ? "missing" : undefined;
  }
});

export async function generateMetadata({ params }: PageProps<"/keys/[apikeyId]">): Promise<Metadata> {
  const apikeyId = decodeURIComponent((await params).apikeyId);
  const apikey = await findKey(apikeyId);
  if (apikey === "missing") return { title: (await readWords("keys.missing"))("tab", { id: apikeyId }) };
  return { title: apikey?.name ?? (await readWords("keys"))("one") };
}

export default async function Page({ params }: PageProps<"/keys/[apikeyId]">) {
  const apikeyId = decodeURIComponent((await params).apikeyId);
  const [initial, { trpc, HydrateClient }] = await Promise.all([findKey(apikeyId), openProcedures()]);
  if (initial === "missing") notFound();
  const { language, timeZone } = await readLocale();
  const range = lastDays(createFormats(language, timeZone, new Date()).today());
  await Promise.all([
    trpc.usage.key.prefetch({ apikey_id: apikeyId, ...range }),
    trpc.usage.refusals.prefetch({ apikey_id: apikeyId, ...range }),
    trpc.authorizations.activity.prefetch({ apikey_id: apikeyId, page_size: ACTIVITY_PAGE_SIZE }),
    trpc.authorizations.list.prefetch({ apikey_id: apikeyId, page: 1, page_size: OPEN_PAGE_SIZE }),
  ]);
  return (
    <HydrateClient>
      <KeyPage apikeyId={apikeyId} initial={initial} />
    </HydrateClient>
  );
}
