import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { nextPath } from "@/app/_auth/next-path";
import { readWords } from "@/app/_i18n/request";
import { readSession } from "@/app/_trpc/session";
import { PlainPage } from "@/components/plain-page";
import { callerFor } from "@/server/page-caller";
import { LanguageChoice } from "../_components/language-choice";
import { SignIn } from "./_components/sign-in";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("auth.signIn"))("title") };
}

export default async function Page({ searchParams }: PageProps<"/sign-in">) {
  const { next, error, step } = await searchParams;
  const path = nextPath(next);
  if ((await readSession()).state === "signed-in") redirect(path);
  const options = await callerFor(await headers()).accounts.signInOptions();
  const t = await readWords("auth.signIn");
  return (
    <PlainPage heading={t("title")} corner={<LanguageChoice />}>
      <SignIn
        next={path}
        options={options}
        providerError={typeof error === "string" ? error : undefined}
        isCodeAsked={step === "second-factor"}
      />
    </PlainPage>
  );
}
