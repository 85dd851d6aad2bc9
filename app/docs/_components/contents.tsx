"use client";

import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { Icon } from "@/components/icon";
import { SearchField } from "@/components/search-field";
import { Method } from "./method";

export interface ContentsSection {
  id: string;
  name: string;
  operations: { id: string; method: string; path: string; summary: string }[];
}

/** Links to all operations. The reader searches them; on a narrow screen they open below a button. */
export function Contents({ sections }: { sections: ContentsSection[] }) {
  const t = useTranslations("docs");
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const matches = ({ method, path, summary }: ContentsSection["operations"][number]) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(search.toLowerCase());
  const found = sections
    .map((section) => ({ ...section, operations: section.operations.filter(matches) }))
    .filter(({ operations }) => search === "" || operations.length > 0);
  useEffect(() => {
    const close = () => setOpen(false);
    window.addEventListener("hashchange", close);
    return () => window.removeEventListener("hashchange", close);
  }, []);
  return (
    <div className="sticky top-12 z-10 -mx-4 border-b border-line bg-page px-4 py-2 sm:-mx-6 sm:px-6 lg:mx-0 lg:h-[calc(100dvh-3rem)] lg:w-72 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-b-0 lg:py-6 lg:pr-4 lg:pl-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls="contents"
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-9 w-full cursor-pointer items-center gap-2 text-sm lg:hidden"
      >
        <Icon name="menu" />
        {t("contents")}
      </button>
      <nav
        id="contents"
        aria-label={t("contents")}
        className={`max-h-[70dvh] gap-4 overflow-y-auto p-1 lg:grid lg:max-h-none ${isOpen ? "grid" : "hidden"}`}
      >
        <SearchField label={t("search")} value={search} onChange={setSearch} />
        {search === "" && (
          <div>
            {(["authentication", "errors", "headers"] as const).map((id) => (
              <a key={id} href={`#${id}`} className={`${LINK} font-medium`}>
                {t(id)}
              </a>
            ))}
          </div>
        )}
        {found.map(({ id, name, operations }) => (
          <div key={id}>
            <a href={`#${id}`} lang="en" className={`${LINK} font-medium`}>
              {name}
            </a>
            <ul>
              {operations.map((operation) => (
                <li key={operation.id}>
                  <a href={`#${operation.id}`} lang="en" className={`${LINK} text-ink-soft hover:text-ink`}>
                    <span className="min-w-0 flex-1">{operation.summary}</span>
                    <Method className="leading-5">{operation.method}</Method>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p role="status" className="text-[0.8125rem] text-ink-soft">
          {found.length === 0 && t("noMatch")}
        </p>
      </nav>
    </div>
  );
}

const LINK =
  "flex min-h-7 items-start gap-2 rounded-md px-2 py-1 text-[0.8125rem] leading-5 hover:bg-panel pointer-coarse:min-h-10";
