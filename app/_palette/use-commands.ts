"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "use-intl/react";
import { useAccountActions } from "@/app/_account/use-account-actions";
import { useDownload } from "@/app/_csv/use-download";
import { LANGUAGE_NAMES, LANGUAGES } from "@/app/_i18n/language";
import { addressOf } from "@/app/_saved-filters/address";
import { THEMES } from "@/app/_theme/theme";
import { useTheme } from "@/app/_theme/use-theme";
import { trpc } from "@/app/_trpc/client";
import type { Entry, EntrySection } from "./entry";
import { create } from "./page-action";
import type { PaletteProps } from "./palette-props";
import { noteRecent } from "./recent";

/** What the palette offers without asking the server for keys and groups: pages, saved filters and actions. */
export function useCommands({
  email,
  theme: drawn,
  pages,
  onHelp,
}: Omit<PaletteProps, "initialText" | "onClose">): EntrySection[] {
  const t = useTranslations("palette");
  const shell = useTranslations("shell");
  const router = useRouter();
  const language = useLocale();
  const account = useAccountActions();
  const [theme, chooseTheme] = useTheme(drawn);
  const download = useDownload();
  const filters = trpc.savedFilters.list.useQuery();
  const visit = (href: string) => () => router.push(href);
  const load = (href: string) => () => window.location.assign(href);
  const actions: Entry[] = [
    {
      id: "create-key",
      label: t("actions.createKey"),
      icon: "plus",
      words: "create new key",
      run: () => create("key", visit("/keys")),
    },
    {
      id: "create-group",
      label: t("actions.createGroup"),
      icon: "plus",
      words: "create new group",
      run: () => create("group", visit("/groups")),
    },
    {
      id: "create-price",
      label: t("actions.createPrice"),
      icon: "plus",
      words: "create new add price model",
      run: () => create("price", visit("/models")),
    },
    {
      id: "import-prices",
      label: t("actions.importPrices"),
      icon: "upload",
      words: "import upload prices models catalogue litellm csv",
      run: () => create("import", visit("/models")),
    },
    {
      id: "export-keys",
      label: t("actions.exportKeys"),
      icon: "download",
      words: "export download csv keys",
      run: () => void download("/keys/export"),
    },
    {
      id: "export-history",
      label: t("actions.exportHistory"),
      icon: "download",
      words: "export download csv history",
      run: () => void download("/history/export?format=csv"),
    },
    { id: "docs", label: shell("apiReference"), icon: "book", words: "api reference docs", run: load("/docs") },
    { id: "help", label: t("shortcuts.title"), icon: "info", words: "keyboard shortcuts help", run: onHelp },
    ...THEMES.filter((each) => each !== theme).map(
      (each): Entry => ({
        id: `theme-${each}`,
        label: shell("themeOf", { theme: shell(`themes.${each}`) }),
        icon: "theme",
        words: `theme appearance ${each}`,
        run: () => chooseTheme(each),
      }),
    ),
    ...LANGUAGES.filter((each) => each !== language).map(
      (each): Entry => ({
        id: `language-${each}`,
        label: LANGUAGE_NAMES[each],
        lang: each,
        icon: "globe",
        words: `language ${each}`,
        run: () => account.chooseLanguage(each),
      }),
    ),
    { id: "sign-out", label: shell("signOut"), icon: "sign-out", words: "sign out log out", run: account.signOut },
  ];
  return [
    {
      title: t("sections.pages"),
      entries: pages.map(({ href, label, icon }) => ({
        id: `page-${href}`,
        label,
        icon,
        words: href.slice(1),
        run: () => {
          noteRecent(email, { kind: "page", id: href, name: label });
          router.push(href);
        },
      })),
    },
    {
      title: t("sections.savedFilters"),
      entries: (filters.data?.data ?? []).map((filter) => ({
        id: `filter-${filter.id}`,
        label: filter.name,
        icon: "filter" as const,
        words: "saved filter",
        run: visit(addressOf(filter)),
      })),
    },
    { title: t("sections.actions"), entries: actions },
  ];
}
