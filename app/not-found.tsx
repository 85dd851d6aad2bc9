import type { Metadata } from "next";
import { ActionLink } from "../components/action-link";
import { PlainPage } from "../components/plain-page";
import { readWords } from "./_i18n/request";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords("notFound"))("title") };
}

export default async function NotFoundPage() {
  const t = await readWords("notFound");
  return (
    <PlainPage heading={t("title")}>
      <p className="mt-4 text-lg leading-relaxed text-ink-soft">{t("text")}</p>
      <nav aria-label={t("waysOn")} className="mt-8 flex flex-wrap gap-3">
        <ActionLink href="/" variant="primary">
          {t("home")}
        </ActionLink>
        <ActionLink href="/docs" variant="secondary">
          {t("apiReference")}
        </ActionLink>
      </nav>
    </PlainPage>
  );
}
