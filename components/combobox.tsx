"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { isComposing } from "./composing";
import { useEnteredEarly } from "./entered-early";
import { BOX, Field, type FieldProps, fieldIds } from "./field";
import { Icon } from "./icon";
import { placeBeside, roomAbove, roomBelow } from "./placement";

const TYPING_PAUSE_MS = 200;

export interface ComboboxOption {
  /** Names the option; unique in the list. */
  value: string;
  label: string;
}

export interface ComboboxProps {
  /** The chosen option. Its label shows while nobody types; it need not be among the options. */
  chosen: ComboboxOption;
  onChoose(option: ComboboxOption): void;
  /** The options that match the text of the last `onSearch`, best first. The caller looks them up. */
  options: readonly ComboboxOption[];
  /** Asks for the options that match a text: `""`, which all match, when the list opens, then what is typed, after a pause. */
  onSearch(text: string): void;
  /** The options still belong to an earlier text. */
  isBusy?: boolean;
  /** More options match than are shown. */
  hasMore?: boolean;
  /** The options could not be looked up. */
  isFailed?: boolean;
}

/** Chooses one of many options by typing a part of it, with its label. For a few options use `SelectField`. */
export function ComboboxField({ label, hint, error, ...combobox }: FieldProps & ComboboxProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <span className="relative">
        <Combobox {...fieldIds(id, { hint, error })} name={label} {...combobox} className={BOX} />
      </span>
    </Field>
  );
}

/** A small combobox that filters a list and stands in a row with others. The value `""` filters nothing. */
export function FilterCombobox({ label, ...combobox }: { label: string } & ComboboxProps) {
  const id = useId();
  const colour = combobox.chosen.value === "" ? "border-line text-ink" : "border-accent font-medium text-accent";
  return (
    <span className="relative inline-flex min-w-0 max-sm:flex-1 max-sm:basis-40 sm:w-48">
      <Combobox
        id={id}
        name={label}
        aria-label={label}
        {...combobox}
        className={`h-9 w-full min-w-0 truncate rounded-lg border bg-raised pl-3 text-sm pointer-coarse:h-11 pointer-coarse:text-base ${colour}`}
      />
    </span>
  );
}

/**
 * An editable combobox with a list, by the pattern of the ARIA Authoring Practices. The focus stays in the input; the arrow
 * keys move through the options. Enter chooses, as soon as the options that match are there; Escape and leaving the input
 * restore the chosen option. The parent is positioned.
 */
function Combobox({
  id,
  name,
  chosen,
  onChoose,
  options,
  onSearch,
  isBusy = false,
  hasMore = false,
  isFailed = false,
  className,
  ...described
}: ComboboxProps & {
  id: string;
  /** Accessible name of the list. */
  name: string;
  className: string;
  "aria-label"?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}) {
  const t = useTranslations("components.combobox");
  const input = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  // What the reader types; undefined shows the chosen option.
  const [typed, setTyped] = useState<string>();
  const [sent, setSent] = useState("");
  const [active, setActive] = useState<number>();
  // Enter was pressed before the options that match were there.
  const [isAwaited, setAwaited] = useState(false);
  const isStale = isBusy || (typed ?? "") !== sent;
  const activeOption = active === undefined || isStale ? undefined : options[active];
  const optionId = (index: number) => `${id}-option-${index}`;

  const send = (text: string) => {
    setSent(text);
    onSearch(text);
  };
  const open = () => {
    if (isOpen) return;
    setOpen(true);
    setActive(undefined);
    send("");
  };
  const close = () => {
    setOpen(false);
    setTyped(undefined);
    setAwaited(false);
  };
  const choose = (option: ComboboxOption) => {
    close();
    onChoose(option);
  };
  const type = (text: string) => {
    setOpen(true);
    setTyped(text);
    setAwaited(false);
    // The best match is one Enter away.
    setActive(text === "" ? undefined : 0);
  };
  // Whoever has left the input meanwhile has chosen nothing.
  useEnteredEarly(input, "value", chosen.label, (text) => document.activeElement === input.current && type(text));

  // biome-ignore lint/correctness/useExhaustiveDependencies: it chooses in the moment in which the options are there
  useEffect(() => {
    if (!isAwaited || isStale) return;
    setAwaited(false);
    if (activeOption && !isFailed) choose(activeOption);
  }, [isAwaited, isStale]);

  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    if (!isOpen || typed === undefined) return;
    const timer = setTimeout(() => latest.current(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOpen, typed]);

  // The list stays at the input while its length changes, and while the page behind it scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options change the height of the list
  useEffect(() => {
    const list = panel.current;
    if (!isOpen || !list) return;
    const place = () => {
      if (!input.current) return;
      const { top, bottom } = input.current.getBoundingClientRect();
      list.style.minWidth = `${input.current.offsetWidth}px`;
      // What is typed stays in sight: in a low window the list is lower, and scrolls.
      list.style.setProperty("--room", `${Math.max(roomAbove(top), roomBelow(bottom))}px`);
      placeBeside(list, input.current, "start");
    };
    if (!list.matches(":popover-open")) list.showPopover();
    place();
    window.addEventListener("scroll", place, true);
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("scroll", place, true);
      window.removeEventListener("resize", place);
    };
  }, [isOpen, options, isFailed, hasMore]);
  useEffect(() => {
    if (!isOpen && panel.current?.matches(":popover-open")) panel.current.hidePopover();
  }, [isOpen]);
  useEffect(() => {
    if (isOpen && active !== undefined)
      panel.current?.querySelector(`#${CSS.escape(optionId(active))}`)?.scrollIntoView({ block: "nearest" });
  });

  const move = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const count = options.length;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (event.altKey) return event.key === "ArrowDown" ? open() : close();
        setAwaited(false);
        const step = event.key === "ArrowDown" ? 1 : -1;
        open();
        if (count === 0) return;
        const from = active ?? (step === 1 ? -1 : count);
        return setActive((from + step + count) % count);
      }
      case "Enter":
        if (!isOpen) return;
        // It must not send the form, also while the options that match are still looked up.
        event.preventDefault();
        if (activeOption) choose(activeOption);
        else setAwaited(isStale && typed !== undefined);
        return;
      case "Escape":
        if (!isOpen) return;
        event.preventDefault();
        event.stopPropagation();
        return close();
    }
  };

  const news = isFailed ? t("failed") : options.length === 0 && !isStale ? t("nothing") : undefined;
  return (
    <>
      <input
        ref={input}
        {...described}
        id={id}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(isOpen && activeOption && active !== undefined && { "aria-activedescendant": optionId(active) })}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={typed ?? chosen.label}
        className={`${className} cursor-pointer pr-9 focus:cursor-text`}
        // What is typed replaces the chosen option.
        onFocus={(event) => event.target.select()}
        onClick={open}
        onChange={(event) => type(event.target.value)}
        onBlur={close}
        onKeyDown={move}
      />
      <Icon
        name="chevron-down"
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-soft"
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus in the input */}
      <div
        ref={panel}
        popover="manual"
        className="fixed inset-auto m-0 max-h-[min(18rem,var(--room))] max-w-[min(24rem,calc(100vw-1rem))] overflow-y-auto rounded-xl border border-line bg-raised p-1.5 text-sm font-normal text-ink shadow-floating"
        // The focus stays in the input.
        onMouseDown={(event) => event.preventDefault()}
      >
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={name}
          aria-busy={isStale}
          className={isStale ? "opacity-60" : ""}
        >
          {isOpen &&
            options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys act on the input, which has the focus
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
              <div
                key={option.value}
                id={optionId(index)}
                role="option"
                aria-selected={option.value === chosen.value}
                className={`flex min-h-8 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1 hover:bg-panel aria-selected:font-medium pointer-coarse:min-h-11 ${index === active ? "bg-panel outline-2 -outline-offset-2 outline-accent" : ""}`}
                onClick={() => choose(option)}
              >
                <span dir="auto" className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
                  {option.label}
                </span>
                {option.value === chosen.value && <Icon name="check" />}
              </div>
            ))}
        </div>
        {isOpen && hasMore && <p className="px-2.5 pt-1.5 pb-1 text-xs text-ink-soft">{t("more")}</p>}
        {isOpen && news && <p className="px-2.5 py-1.5 text-ink-soft">{news}</p>}
      </div>
      <span role="status" className="sr-only">
        {isOpen && !isStale && (news ?? t("count", { count: options.length }))}
      </span>
    </>
  );
}
