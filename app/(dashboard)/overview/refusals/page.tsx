import type { Metadata } from "next";
import { leadToLastPage } from "@/app/_address/last-page";
import { readLocale, readWords } from "@/app/_i18n/request";
import { openProcedures } from "@/app/_trpc/server";
import { createFormats } from "@/components/formats";
import { loadRefusedAddress, refusedInput } from "../_components/refused-address";
import { RefusedKeysView } from "../_components/refused-keys-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("overview.refusedKeys"))("title") };
}

/** The keys of which calls were refused. */
export default async function Page({ searchParams }: PageProps<"/overview/refusals">) {
  const { language, timeZone } = await readLocale();
  const today = createFormats(language, timeZone, new Date()).today();
  const address = await loadRefusedAddress(searchParams);
  const { trpc, HydrateClient, answerOf } = await openProcedures();
  await trpc.overview.refusals.prefetch(refusedInput(address, today));
  await leadToLastPage("/overview/refusals", searchParams, answerOf("overview", "refusals"));
  return (
    <HydrateClient>
      <RefusedKeysView />
    </HydrateClient>
  );
}
