import type { Metadata } from "next";
import { readWords } from "@/app/_i18n/request";
import { UsageView } from "./_components/usage-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("usage"))("title") };
}

/** What the account spent. The browser asks for the figures, so that the page does not wait for the database. */
export default function Page() {
  return <UsageView />;
}
