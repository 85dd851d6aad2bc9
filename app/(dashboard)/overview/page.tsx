import type { Metadata } from "next";
import { readWords } from "@/app/_i18n/request";
import { openProcedures } from "@/app/_trpc/server";
import { OverviewView } from "./_components/overview-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("overview"))("title") };
}

/** The first page after signing in: whether anything needs the owner, and what was spent. */
export default async function Page() {
  const { trpc, HydrateClient } = await openProcedures();
  await trpc.overview.get.prefetch();
  return (
    <HydrateClient>
      <OverviewView />
    </HydrateClient>
  );
}
