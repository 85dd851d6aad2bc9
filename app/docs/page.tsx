import type { Metadata } from "next";
import { Mark } from "@/components/mark";
import { readWords } from "../_i18n/request";
import { readTheme } from "../_theme/request";
import { themeAttribute } from "../_theme/theme";
import { Reference } from "./reference";

export async function generateMetadata(): Promise<Metadata> {
  const t = await readWords("docs");
  return { title: t("title"), description: t("description") };
}

export default async function DocsPage() {
  const t = await readWords("docs");
  return (
    <>
      <header className="sticky top-0 z-20 flex h-12 items-center gap-6 border-b border-line bg-page px-4 text-sm">
        <a href="/" className="flex items-center gap-2.5 font-medium">
          <Mark className="size-5" />
          Allowance
        </a>
        <a href="/openapi.json" className="text-ink-soft underline-offset-4 hover:text-ink hover:underline">
          openapi.json
        </a>
      </header>
      <noscript>
        <p className="p-8">{t("noScript")}</p>
      </noscript>
      <Reference theme={themeAttribute(await readTheme())} />
    </>
  );
}
