import type { ReactNode } from "react";
import { readWords } from "@/app/_i18n/request";
import type { Theme } from "@/app/_theme/theme";
import { Mark } from "@/components/mark";
import { SkipLink } from "@/components/skip-link";
import { AccountMenu } from "./account-menu";
import { Commands } from "./commands";
import { Navigation, NavigationMenu } from "./navigation";
import { PageWait } from "./page-wait";

/** The frame of every dashboard page: a link to skip the navigation, the navigation, and the account menu. */
export async function Shell({ email, theme, children }: { email: string; theme: Theme; children: ReactNode }) {
  const t = await readWords("shell");
  return (
    <>
      <SkipLink>{t("skip")}</SkipLink>
      <header className="sticky top-0 z-30 border-b border-line bg-page print:hidden">
        <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-2 px-3 sm:px-6">
          <NavigationMenu />
          <a
            href="/overview"
            // Without room beside the mark, the word breaks into a line that is not seen.
            className="flex h-6 min-w-6 flex-wrap items-center gap-x-2.5 overflow-hidden rounded-lg text-[0.9375rem] font-semibold tracking-tight lg:mr-4 lg:shrink-0"
          >
            <Mark className="size-6" />
            <span>Allowance</span>
          </a>
          <Navigation />
          <div className="ml-auto flex min-w-0 items-center gap-1 max-lg:shrink-0 sm:gap-2">
            <Commands email={email} theme={theme} />
            <AccountMenu email={email} theme={theme} />
          </div>
        </div>
        <PageWait />
      </header>
      <main id="content" tabIndex={-1} className="mx-auto max-w-[90rem] px-4 pt-7 pb-16 outline-none sm:px-6">
        {children}
      </main>
    </>
  );
}
