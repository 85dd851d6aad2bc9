import type { Metadata } from "next";
import { headers } from "next/headers";
import { readWords } from "@/app/_i18n/request";
import { ActionLink } from "@/components/action-link";
import { PlainPage } from "@/components/plain-page";
import { callerFor } from "@/server/page-caller";
import { NewAccount } from "../_components/new-account";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("auth.setUp"))("title") };
}

/** Creates the first account. The server prints the link to this page when it starts. */
export default async function Page({ searchParams }: PageProps<"/set-up">) {
  const { token: given } = await searchParams;
  const token = typeof given === "string" ? given : "";
  const { is_valid } = await callerFor(await headers()).accounts.setUpLink({ token });
  const [t, failures, home] = await Promise.all([
    readWords("auth.setUp"),
    readWords("auth.failures"),
    readWords("home"),
  ]);
  return (
    <PlainPage heading={t("title")}>
      {is_valid ? (
        <>
          <p className="mt-4 leading-relaxed text-ink-soft">{t("text")}</p>
          <NewAccount path="/set-up" token={token} />
        </>
      ) : (
        <>
          <p className="mt-4 leading-relaxed text-ink-soft">{failures("setUpLink")}</p>
          <nav aria-label={home("waysIn")} className="mt-8">
            <ActionLink href="/sign-in" variant="primary">
              {home("signIn")}
            </ActionLink>
          </nav>
        </>
      )}
    </PlainPage>
  );
}
