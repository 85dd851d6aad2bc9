"use client";

import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { isComposing } from "@/components/composing";
import { Icon } from "@/components/icon";
import { giveScrollbarPlaceBack, keepScrollbarPlace } from "@/components/scrollbar-place";
import { type Entry, isFound } from "./entry";
import { MAX_LENGTH, type PaletteProps } from "./palette-props";
import { useCommands } from "./use-commands";
import { useFound, useRecent } from "./use-found";

/**
 * The command palette: a modal dialog with a combobox and its listbox, as in the ARIA Authoring Practices. The focus stays in
 * the field; arrow keys move through the options, Enter chooses.
 */
export function Palette({ initialText, onClose, ...props }: PaletteProps) {
  const { email, pages } = props;
  const t = useTranslations("palette");
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState(initialText);
  // A word that is being composed is not searched for before it is done.
  const [composed, setComposed] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const text = (composed ?? typed).trim();
  const recent = useRecent(email, new Map(pages.map(({ href, label }) => [href, label])));
  const commands = useCommands(props);
  const found = useFound(text, email);

  const sections = (
    text === ""
      ? [recent, ...commands]
      : [
          ...commands.map(({ title, entries }) => ({
            title,
            entries: entries.filter((entry) => isFound(entry, text)),
          })),
          ...found.sections,
        ]
  ).filter(({ entries }) => entries.length > 0);
  const entries = sections.flatMap((section) => section.entries);
  const active = entries.find((entry) => entry.id === chosen) ?? entries[0];
  const optionId = (entry: Entry) => `${id}-${entry.id}`;

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    keepScrollbarPlace();
    element.showModal();
    return () => {
      element.close();
      giveScrollbarPlaceBack();
    };
  }, []);
  const activeId = active && optionId(active);
  useLayoutEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  const choose = (entry: Entry) => {
    // It closes first, so that the focus is back on the page when the entry opens a dialog.
    onClose();
    entry.run();
  };
  const move = (by: number) => {
    const at = active ? entries.indexOf(active) : -1;
    setChosen(entries.at((at + by) % entries.length)?.id);
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const isToggle = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (event.key === "Escape" || isToggle) onClose();
    else if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && active) choose(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <dialog
      ref={dialog}
      aria-label={t("title")}
      className="mx-auto mt-2 mb-auto max-h-none w-[calc(100%-1rem)] max-w-none overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-floating sm:mt-[12vh] sm:max-w-xl"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => dialog.current?.open || onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={press}
    >
      <div className="flex max-h-[calc(100dvh-1rem)] flex-col sm:max-h-[70dvh]">
        <div className="flex items-center gap-3 border-b border-line pr-2 pl-4">
          <Icon name="search" className="size-4 text-ink-soft" />
          <input
            role="combobox"
            aria-label={t("field")}
            aria-expanded={entries.length > 0}
            aria-autocomplete="list"
            aria-controls={entries.length > 0 ? `${id}-list` : undefined}
            aria-activedescendant={activeId}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            maxLength={MAX_LENGTH}
            placeholder={t("field")}
            value={typed}
            onCompositionStart={() => setComposed(typed)}
            onCompositionEnd={() => setComposed(undefined)}
            onChange={(event) => {
              setTyped(event.target.value);
              setChosen(undefined);
            }}
            className="h-13 min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none placeholder:text-ink-soft pointer-coarse:text-base"
          />
          <Button variant="ghost" size="small" icon="x" isIconOnly onPress={onClose}>
            {t("close")}
          </Button>
        </div>
        {found.error !== undefined && (
          <div className="p-3">
            <FailureNotice error={found.error} />
          </div>
        )}
        {entries.length > 0 && (
          <div id={`${id}-list`} role="listbox" aria-label={t("title")} className="min-h-0 flex-1 overflow-y-auto p-2">
            {sections.map(({ title, entries }) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options is no set of form fields
              <div key={title} role="group" aria-label={title} className="not-first:mt-2">
                <p aria-hidden="true" className="px-2.5 pt-1 pb-1.5 text-xs text-ink-soft">
                  {title}
                </p>
                {entries.map((entry) => (
                  <Option
                    key={entry.id}
                    id={optionId(entry)}
                    entry={entry}
                    isActive={entry === active}
                    onPoint={() => setChosen(entry.id)}
                    onChoose={() => choose(entry)}
                  />
                ))}
              </div>
            ))}
          </div>
        )}
        {entries.length === 0 && !found.isSearching && found.error === undefined && (
          <p className="px-4 py-8 text-center text-sm [overflow-wrap:anywhere] text-ink-soft">
            {t("nothing", { text })}
          </p>
        )}
        <p
          role="status"
          className="flex min-h-9 shrink-0 items-center justify-between gap-4 border-t border-line px-4 text-xs text-ink-soft"
        >
          <span>
            {/* Where the search failed, it is not known whether there is nothing. */}
            {found.isSearching
              ? t("searching")
              : (entries.length > 0 || found.error === undefined) && t("count", { count: entries.length })}
          </span>
          <span aria-hidden="true" className="hidden sm:block">
            {t("keys")}
          </span>
        </p>
      </div>
    </dialog>
  );
}

function Option({
  id,
  entry: { label, detail, icon, lang },
  isActive,
  onPoint,
  onChoose,
}: {
  id: string;
  entry: Entry;
  isActive: boolean;
  onPoint(): void;
  onChoose(): void;
}) {
  return (
    // The field keeps the focus and has the keys, so the option takes the pointer alone.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={isActive ? undefined : onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 text-sm aria-selected:bg-panel aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent pointer-coarse:min-h-11"
    >
      <Icon name={icon} className="size-4 text-ink-soft" />
      <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-center sm:gap-4">
        <bdi lang={lang} className="truncate">
          {label}
        </bdi>
        {detail !== undefined && (
          <span className="truncate text-xs text-ink-soft sm:ml-auto sm:max-w-[55%] sm:shrink-0">{detail}</span>
        )}
      </span>
    </div>
  );
}
