import type { Metadata } from "next";
import { readWords } from "@/app/_i18n/request";
import { readTheme } from "@/app/_theme/request";
import { openProcedures } from "@/app/_trpc/server";
import { readSession } from "@/app/_trpc/session";
import { PageHeading } from "@/components/page-heading";
import { AppearanceSection } from "./_components/appearance-section";
import { DefaultKeySection } from "./_components/default-key-section";
import { GatewaySection } from "./_components/gateway-section";
import { LanguageSection } from "./_components/language-section";
import { SecuritySections } from "./_components/security-sections";
import { ShortcutsSection } from "./_components/shortcuts-section";
import { TimeZoneSection } from "./_components/time-zone-section";
import { UnreadSettings } from "./_components/unread-settings";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("settings"))("title") };
}

export default async function Page({ searchParams }: PageProps<"/settings">) {
  const { error } = await searchParams;
  const session = await readSession();
  if (session.state !== "signed-in") return <UnreadSettings />;
  const { account } = session;
  const t = await readWords("settings");
  const { trpc, HydrateClient } = await openProcedures();
  await Promise.all([
    trpc.keys.get.prefetch({ apikey_id: account.default_apikey_id }),
    trpc.accounts.signInMethods.prefetch(),
    trpc.accounts.signInOptions.prefetch(),
    trpc.accounts.sessions.prefetch(),
  ]);
  return (
    <HydrateClient>
      <PageHeading title={t("title")} description={t("description", { email: account.email })} />
      <div className="grid max-w-3xl grid-cols-1 gap-5">
        <TimeZoneSection saved={account.time_zone} />
        <GatewaySection saved={account.gateway_url} />
        <LanguageSection saved={account.language} />
        <AppearanceSection saved={await readTheme()} />
        <ShortcutsSection />
        <DefaultKeySection apikeyId={account.default_apikey_id} />
        <SecuritySections email={account.email} providerError={typeof error === "string" ? error : undefined} />
      </div>
    </HydrateClient>
  );
}
