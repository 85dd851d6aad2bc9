"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl/react";
import { Icon } from "@/components/icon";
import { useToast } from "@/components/toast";
import { areSingleKeysOn, isMac, takesText, usePaletteKeys } from "./keyboard";
import { createHere } from "./page-action";
import type { HelpProps, PaletteProps } from "./palette-props";
import { shortcutOf } from "./shortcuts";

type Opened =
  | { kind: "palette"; Palette: ComponentType<PaletteProps>; text: string }
  | { kind: "help"; Help: ComponentType<HelpProps> };

/** The button of the command palette, and the shortcuts of all pages. Their code is loaded when they are opened. */
export function CommandBar(props: Pick<PaletteProps, "email" | "theme" | "pages">) {
  const t = useTranslations("palette");
  const failure = useTranslations("failure");
  const toast = useToast();
  const keys = usePaletteKeys();
  const [opened, setOpened] = useState<Opened>();
  // What is typed while the code of the palette is loaded, and undefined at all other times.
  const early = useRef<string>(undefined);

  const open = async (kind: Opened["kind"]) => {
    try {
      if (kind === "help") return setOpened({ kind, Help: (await import("./shortcuts-dialog")).ShortcutsDialog });
      early.current = "";
      const { Palette } = await import("./palette");
      // At once, so that the next key finds the field.
      flushSync(() => setOpened({ kind, Palette, text: early.current ?? "" }));
    } catch {
      toast(failure("unreachable"), "danger");
    } finally {
      early.current = undefined;
    }
  };
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const isCommand = event.ctrlKey || event.metaKey || event.altKey;
      if (early.current !== undefined && event.key.length === 1) {
        // It is meant for the palette, and neither a shortcut nor text for the field that has the focus.
        if (!isCommand) early.current += event.key;
        return event.preventDefault();
      }
      const shortcut = shortcutOf(event, {
        isMac: isMac(),
        takesText: takesText(event.target),
        isDialogOpen: document.querySelector("dialog[open]") !== null,
        areSingleKeysOn: areSingleKeysOn(),
      });
      if (shortcut === undefined) return;
      if (shortcut === "search") {
        const field = document.querySelector<HTMLInputElement>("main input[type=search]");
        field?.focus();
        field?.select();
        // Without a field, the browser does what it does with the key.
        if (!field) return;
      } else if (shortcut === "create") {
        if (!createHere()) return;
      } else void latest.current(shortcut);
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);

  const close = () => setOpened(undefined);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => open("palette")}
        className="flex h-9 min-w-9 shrink-0 cursor-pointer items-center justify-center gap-2 rounded-lg px-2 text-sm text-ink-soft hover:bg-panel hover:text-ink xl:w-52 xl:justify-start xl:border xl:border-line xl:bg-raised xl:px-3 pointer-coarse:h-11 pointer-coarse:min-w-11"
      >
        <Icon name="search" className="size-4" />
        <span className="max-xl:sr-only">{t("open")}</span>
        <kbd className="ml-auto hidden font-sans text-xs xl:block">{keys}</kbd>
      </button>
      {opened?.kind === "palette" && (
        <opened.Palette {...props} initialText={opened.text} onHelp={() => open("help")} onClose={close} />
      )}
      {opened?.kind === "help" && <opened.Help onClose={close} />}
    </>
  );
}
