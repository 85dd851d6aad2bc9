"use client";

import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { useEnteredEarly } from "./entered-early";
import { Icon } from "./icon";

const TYPING_PAUSE_MS = 250;

/** Searches while the reader types. It calls `onChange` after a short pause, and at once on Enter and on clearing. */
export function SearchField({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  placeholder?: string;
}) {
  const t = useTranslations("components.search");
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const box = useRef<HTMLInputElement>(null);

  useEnteredEarly(box, "value", typed, setTyped);

  // The value may change from outside, as by the back button or by "Clear the filters".
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);

  const send = (text: string) => {
    if (text === sent.current) return;
    sent.current = text;
    onChange(text);
  };
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <search className="relative block w-full min-w-0 sm:w-64">
      <Icon name="search" className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-ink-soft" />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={typed}
        dir="auto"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && send(typed)}
        className="h-9 w-full rounded-lg border border-line bg-raised pr-9 pl-9 text-sm placeholder:text-ink-soft pointer-coarse:h-11 pointer-coarse:text-base [&::-webkit-search-cancel-button]:hidden"
      />
      {typed !== "" && (
        <button
          type="button"
          aria-label={t("clear")}
          className="absolute inset-y-0 right-1.5 my-auto grid size-6 cursor-pointer place-items-center rounded-md text-ink-soft hover:bg-panel hover:text-ink"
          onClick={() => {
            setTyped("");
            send("");
            box.current?.focus();
          }}
        >
          <Icon name="x" className="size-3.5" />
        </button>
      )}
    </search>
  );
}
