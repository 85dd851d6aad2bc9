import type { Metadata } from "next";
import { readWords } from "@/app/_i18n/request";
import { PlainPage } from "@/components/plain-page";
import { NewAccount } from "../_components/new-account";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("auth.setUp"))("title") };
}

/** Creates the first account. The server prints the link to this page when it starts. */
export default async function Page({ searchParams }: PageProps<"/set-up">) {
  const { token } = await searchParams;
  const t = await readWords("auth.setUp");
  return (
    <PlainPage heading={t("title")}>
      <p className="mt-4 leading-relaxed text-ink-soft">{t("text")}</p>
      <NewAccount path="/set-up" token={typeof token === "string" ? token : ""} />
    </PlainPage>
  );
}
