"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { Spinner, useLate } from "./button";
import { Icon } from "./icon";
import { useFocusHandedOn } from "./lost-focus";
import { useAttempt } from "./use-attempt";

const SHOWN_MS = 6_000;
/** Longer, because somebody may have to reach the button. It is never the only way to the same thing. */
const SHOWN_WITH_ACTION_MS = 10_000;

/** A button in a message. The message goes when what the button does is done. */
export interface ToastAction {
  label: string;
  onPress(): unknown;
}

interface Toast {
  id: number;
  tone: "good" | "danger";
  text: string;
  action: ToastAction | undefined;
}

const ToastContext = createContext<(text: string, tone?: Toast["tone"], action?: ToastAction) => void>(() => {});

/**
 * `const toast = useToast(); toast("Key renamed.")`. A success disappears after six seconds, or ten when it has a button, but
 * not while it has the focus or the pointer. A failure (`"danger"`) stays.
 */
export function useToast() {
  return useContext(ToastContext);
}

/** Shows short messages above the page and above dialogs. Screen readers announce them. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const next = useRef(0);
  const region = useRef<HTMLElement>(null);
  const show = useCallback((text: string, tone: Toast["tone"] = "good", action?: ToastAction) => {
    next.current += 1;
    const id = next.current;
    setToasts((current) => [...current.slice(-2), { id, tone, text, action }]);
  }, []);
  const close = useCallback((id: number) => setToasts((current) => current.filter((toast) => toast.id !== id)), []);

  const newest = toasts.at(-1)?.id;
  useEffect(() => {
    // The popover or dialog that opened last is on top, so the region opens again for each message.
    region.current?.hidePopover();
    if (newest !== undefined) region.current?.showPopover();
  }, [newest]);

  const t = useTranslations("components.toast");
  return (
    <ToastContext value={show}>
      {children}
      <section
        ref={region}
        popover="manual"
        aria-label={t("name")}
        aria-live="polite"
        className="fixed inset-auto right-2 bottom-2 m-0 w-[min(24rem,calc(100vw-1rem))] overflow-visible border-0 bg-transparent p-0 sm:right-5 sm:bottom-5"
      >
        <ul className="grid gap-2">
          {toasts.map((toast) => (
            <ToastItem key={toast.id} toast={toast} close={close} />
          ))}
        </ul>
      </section>
    </ToastContext>
  );
}

function ToastItem({ toast: { id, tone, text, action }, close }: { toast: Toast; close(id: number): void }) {
  const t = useTranslations("components.toast");
  const [isHeld, setHeld] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  useFocusHandedOn(item);
  const { attempt, isPending } = useAttempt(async () => {
    await action?.onPress();
    close(id);
  });
  const isBusyShown = useLate(isPending);
  useEffect(() => {
    if (tone === "danger" || isHeld || isPending) return;
    const timer = setTimeout(() => close(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [tone, isHeld, isPending, action, close, id]);
  return (
    <li
      ref={item}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex items-start gap-3 rounded-xl border border-line bg-raised py-3 pr-2 pl-4 text-sm text-ink shadow-floating"
    >
      <Icon
        name={tone === "good" ? "check" : "alert"}
        className={`mt-0.5 size-4 ${tone === "good" ? "text-good" : "text-danger"}`}
      />
      <p className="min-w-0 flex-1 leading-relaxed [overflow-wrap:anywhere]">{text}</p>
      {action && (
        <button
          type="button"
          aria-disabled={isPending || undefined}
          onClick={attempt}
          className="-my-0.5 inline-flex min-h-7 cursor-pointer items-center gap-1.5 rounded-md px-2 font-medium text-accent hover:bg-panel aria-disabled:cursor-progress aria-disabled:opacity-60"
        >
          {isBusyShown && <Spinner />}
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t("close")}
        onClick={() => close(id)}
        className="grid size-6 cursor-pointer place-items-center rounded-md text-ink-soft hover:bg-panel hover:text-ink"
      >
        <Icon name="x" className="size-3.5" />
      </button>
    </li>
  );
}
