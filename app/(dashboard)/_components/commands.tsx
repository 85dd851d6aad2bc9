"use client";

import { useTranslations } from "use-intl/react";
import { CommandBar } from "@/app/_palette/command-bar";
import type { Theme } from "@/app/_theme/theme";
import { PAGES } from "./navigation";

/** The command palette with the pages of the navigation. */
export function Commands({ email, theme }: { email: string; theme: Theme }) {
  const t = useTranslations("shell");
  const pages = PAGES.map(({ href, name, icon }) => ({ href, icon, label: t(name) }));
  return <CommandBar email={email} theme={theme} pages={pages} />;
}
