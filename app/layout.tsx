import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { messagesOfEveryPage } from "./_i18n/messages";
import { Words } from "./_i18n/provider";
import { readLocale, readWords } from "./_i18n/request";
import { readTheme } from "./_theme/request";
import { themeAttribute } from "./_theme/theme";
import "./globals.css";

const PAGE_COLOR = { light: "#fbfbfa", dark: "#121311" };

export async function generateMetadata(): Promise<Metadata> {
  const t = await readWords("app");
  return { title: { default: t("name"), template: `%s · ${t("name")}` }, description: t("description") };
}

export async function generateViewport(): Promise<Viewport> {
  const theme = themeAttribute(await readTheme());
  return {
    themeColor: theme
      ? PAGE_COLOR[theme]
      : [
          { media: "(prefers-color-scheme: light)", color: PAGE_COLOR.light },
          { media: "(prefers-color-scheme: dark)", color: PAGE_COLOR.dark },
        ],
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const { language, timeZone } = await readLocale();
  return (
    <html lang={language} data-theme={themeAttribute(await readTheme())}>
      <body className="antialiased">
        <Words locale={language} messages={messagesOfEveryPage(language)} timeZone={timeZone} now={new Date()}>
          {children}
        </Words>
      </body>
    </html>
  );
}
