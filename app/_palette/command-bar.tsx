"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl/react";
import { BusyIcon } from "@/components/busy-icon";
import { useToast } from "@/components/toast";
import { textAfter } from "./early-text";
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
  const [isLoading, setLoading] = useState(false);

  const stopWaiting = () => {
    early.current = undefined;
    setLoading(false);
  };
  const open = async (kind: Opened["kind"]) => {
    // The palette is on its way.
    if (early.current !== undefined) return;
    if (kind === "palette") early.current = "";
    setLoading(true);
    try {
      if (kind === "help") return setOpened({ kind, Help: (await import("./shortcuts-dialog")).ShortcutsDialog });
      const { Palette } = await import("./palette");
      // At once, so that the next key finds the field.
      if (early.current !== undefined) flushSync(() => setOpened({ kind, Palette, text: early.current ?? "" }));
    } catch {
      if (kind === "help" || early.current !== undefined) toast(failure("unreachable"), "danger");
    } finally {
      stopWaiting();
    }
  };
  const latest = useRef({ open, stopWaiting });
  latest.current = { open, stopWaiting };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (early.current !== undefined) {
        const keyboard = { isMac: isMac(), isAltGraph: event.getModifierState("AltGraph") };
        const text = textAfter(early.current, event, keyboard);
        if (text === null) latest.current.stopWaiting();
        else if (text !== undefined) early.current = text;
        // It is neither a shortcut nor meant for what has the focus.
        if (text !== undefined) return event.preventDefault();
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
      } else void latest.current.open(shortcut);
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
        aria-busy={isLoading}
        onClick={() => open("palette")}
        className="flex h-9 min-w-9 shrink-0 cursor-pointer items-center justify-center gap-2 rounded-lg px-2 text-sm text-ink-soft hover:bg-panel hover:text-ink xl:w-52 xl:justify-start xl:border xl:border-line xl:bg-raised xl:px-3 pointer-coarse:h-11 pointer-coarse:min-w-11"
      >
        <BusyIcon icon="search" isBusy={isLoading} />
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
