import type { Metadata } from "next";
import { cookies } from "next/headers";
import { CHECKLIST_COOKIE, CHECKLIST_HIDDEN } from "@/app/_first-run/checklist-cookie";
import { readWords } from "@/app/_i18n/request";
import { openProcedures } from "@/app/_trpc/server";
import { OverviewView } from "./_components/overview-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("overview"))("title") };
}

/** The first page after signing in: whether anything needs the owner, and what was spent. */
export default async function Page() {
  const { trpc, HydrateClient } = await openProcedures();
  const hidesChecklist = (await cookies()).get(CHECKLIST_COOKIE)?.value === CHECKLIST_HIDDEN;
  // The first steps stand above the rest: if they came later, they would push it down.
  await Promise.all([trpc.overview.get.prefetch(), hidesChecklist ? undefined : trpc.accounts.firstSteps.prefetch()]);
  return (
    <HydrateClient>
      <OverviewView hidesChecklist={hidesChecklist} />
    </HydrateClient>
  );
}
