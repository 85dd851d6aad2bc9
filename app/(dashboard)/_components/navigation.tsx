"use client";

import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { BusyIcon } from "@/components/busy-icon";
import { Icon } from "@/components/icon";
import { Menu } from "@/components/menu";

export const PAGES = [
  { href: "/overview", name: "overview", icon: "home" },
  { href: "/keys", name: "keys", icon: "key" },
  { href: "/groups", name: "groups", icon: "group" },
  { href: "/models", name: "models", icon: "model" },
  { href: "/usage", name: "usage", icon: "chart" },
  { href: "/history", name: "history", icon: "history" },
  { href: "/settings", name: "settings", icon: "settings" },
] as const;

/** Links to the pages, side by side, on a wide screen. */
export function Navigation() {
  const t = useTranslations("shell");
  const path = usePathname();
  return (
    <nav aria-label={t("main")} className="hidden lg:block">
      <ul className="flex gap-1">
        {PAGES.map(({ href, name, icon }) => (
          <li key={href}>
            <Link
              href={href}
              // The server renders the pages for each visit, so prefetching would waste its work.
              prefetch={false}
              aria-current={isWithin(path, href) ? "page" : undefined}
              className="flex h-9 items-center gap-2 rounded-lg px-3 text-sm text-ink-soft hover:bg-panel hover:text-ink aria-[current]:bg-panel aria-[current]:font-medium aria-[current]:text-ink forced-colors:aria-[current]:border"
            >
              <PageIcon icon={icon} />
              {t(name)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The same links in a menu, on a narrow screen. */
export function NavigationMenu() {
  const t = useTranslations("shell");
  const path = usePathname();
  const items = PAGES.map(({ href, name, icon }) => ({ href, icon, label: t(name), isCurrent: isWithin(path, href) }));
  return (
    <nav aria-label={t("main")} className="lg:hidden">
      <Menu
        label={t("menu")}
        align="start"
        sections={[{ items }]}
        className="grid size-11 cursor-pointer place-items-center rounded-lg hover:bg-panel"
      >
        <Icon name="menu" className="size-5" />
      </Menu>
    </nav>
  );
}

/** The icon of a page, which shows that the page is loaded. */
function PageIcon({ icon }: { icon: (typeof PAGES)[number]["icon"] }) {
  return <BusyIcon icon={icon} isBusy={useLinkStatus().pending} />;
}

function isWithin(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}
