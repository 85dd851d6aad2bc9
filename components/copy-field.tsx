"use client";

import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "./button";
import { Icon } from "./icon";

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard. A success shows for two seconds, and a failure until the next attempt. */
function useCopy(text: string, onCopied: (() => void) | undefined) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (outcome !== "copied") return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    const isCopied = await write(text);
    setOutcome(isCopied ? "copied" : "failed");
    if (isCopied) onCopied?.();
  };
  return { outcome, copy };
}

/** A small button beside a value in a table. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations("components.copy");
  const { outcome, copy } = useCopy(text, undefined);
  // In a long table only the buttons that were pressed have a place for news.
  const [isPressed, setPressed] = useState(false);
  const press = () => {
    setPressed(true);
    void copy();
  };
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={press}
        className={`icon-button ${outcome === "copied" ? "text-good" : ""}`}
      >
        <Icon name={outcome === "copied" ? "check" : outcome === "failed" ? "alert" : "copy"} className="size-3.5" />
      </button>
      {isPressed && (
        <span role="status" className="sr-only">
          {outcome && t(outcome)}
        </span>
      )}
    </>
  );
}

/** A button that copies a text which does not stand beside it. */
export function CopyTextButton({ text, onCopied, children }: { text: string; onCopied(): void; children: string }) {
  const t = useTranslations("components.copy");
  const { outcome, copy } = useCopy(text, onCopied);
  return (
    <>
      <Button icon={outcome === "copied" ? "check" : outcome === "failed" ? "alert" : "copy"} onPress={copy}>
        {children}
      </Button>
      <span role="status" className="sr-only">
        {outcome && t(outcome)}
      </span>
    </>
  );
}

export interface CopyFieldProps {
  /** Accessible name of the value. */
  label: string;
  text: string;
  /** Called after the text was copied. */
  onCopied?: () => void;
  /** Makes the button the main button. In a dialog the focus starts on it. */
  isMain?: boolean;
}

/** Shows a whole value in monospace, with a button that copies it. A click selects the whole value. */
export function CopyField({ label, text, onCopied, isMain = false }: CopyFieldProps) {
  const t = useTranslations("components.copy");
  const { outcome, copy } = useCopy(text, onCopied);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a value with its button is no set of form fields
    <div
      role="group"
      aria-label={label}
      className="grid gap-2 rounded-lg border border-line bg-panel p-2 pl-3 sm:flex sm:flex-wrap sm:items-start"
    >
      <code className="min-w-0 flex-1 py-1.5 font-mono text-[0.8125rem] leading-relaxed break-all whitespace-pre-wrap select-all">
        {text}
      </code>
      <Button
        variant={isMain ? "primary" : "secondary"}
        size="small"
        icon={outcome === "copied" ? "check" : "copy"}
        isFocusedFirst={isMain}
        onPress={copy}
      >
        {outcome === "copied" ? t("copied") : t("copy")}
      </Button>
      {/* That it was copied is seen at the button. */}
      <p role="status" className={outcome === "failed" ? "basis-full pb-0.5 text-[0.8125rem] text-danger" : "sr-only"}>
        {outcome && t(outcome)}
      </p>
    </div>
  );
}

/** Without HTTPS a browser offers pages no clipboard, but it still copies a selection. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    // An element outside the open dialog cannot have the focus.
    const place = document.querySelector("dialog[open]") ?? document.body;
    const focused = document.activeElement;
    place.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
