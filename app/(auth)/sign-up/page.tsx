import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { readWords } from "@/app/_i18n/request";
import { PlainPage } from "@/components/plain-page";
import { callerFor } from "@/server/page-caller";
import { NewAccount } from "../_components/new-account";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("auth.signUp"))("title") };
}

/** The page exists only if everyone may create an account (`SIGN_UP=open`). */
export default async function Page() {
  const { sign_up: isOpen } = await callerFor(await headers()).accounts.signInOptions();
  if (!isOpen) notFound();
  const t = await readWords("auth.signUp");
  return (
    <PlainPage heading={t("title")}>
      <NewAccount path="/sign-up" />
      <p className="mt-8 max-w-sm border-t border-line pt-5 text-sm text-ink-soft">
        {t("hasAccount")}{" "}
        <a href="/sign-in" className="text-accent underline underline-offset-4">
          {t("signIn")}
        </a>
      </p>
    </PlainPage>
  );
}
