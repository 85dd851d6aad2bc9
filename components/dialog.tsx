"use client";

import { type ReactNode, useId, useLayoutEffect, useReducer, useRef } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "./button";

const WIDTHS = { small: "sm:max-w-md", medium: "sm:max-w-lg", large: "sm:max-w-3xl" };

export interface DialogProps {
  isOpen: boolean;
  title: ReactNode;
  /** Asked for by Escape and the cross. Whoever opened the dialog decides, and closes it by `isOpen`. */
  onClose(): void;
  /** Under the title, read out with it. */
  description?: ReactNode;
  /** Stays in sight at the bottom: the buttons, the main one last. */
  footer?: ReactNode;
  /** Makes it a form, sent by Enter or a `type="submit"` button. */
  onSubmit?: (() => void) | undefined;
  width?: keyof typeof WIDTHS;
  role?: "dialog" | "alertdialog";
  children?: ReactNode;
}

/**
 * A dialog above the page: it keeps the focus, gives it back when it closes, and scrolls inside. The focus starts on
 * what has `isFocusedFirst`, else on the first box to fill in.
 */
export function Dialog({ isOpen, ...props }: DialogProps) {
  return isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog({
  title,
  onClose,
  description,
  footer,
  onSubmit,
  width = "medium",
  role,
  children,
}: Omit<DialogProps, "isOpen">) {
  const t = useTranslations("components.dialog");
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened, reopen] = useReducer((count: number) => count + 1, 0);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || opened < 0) return;
    keepScrollbarPlace();
    element.showModal();
    element
      .querySelector<HTMLElement>("[data-focused-first], .dialog-body :is(input, select, textarea):not(:disabled)")
      ?.focus();
    // While the element is still there: only so does the browser give the focus back.
    return () => {
      element.close();
      giveScrollbarPlaceBack();
    };
  }, [opened]);

  const Frame = onSubmit ? "form" : "div";
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      {...(description !== undefined && { "aria-describedby": `${id}-description` })}
      className={`m-auto max-h-none w-[calc(100%-1rem)] max-w-none overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-floating ${WIDTHS[width]}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        // A browser may insist on closing (a phone's back gesture, twice); as long as `isOpen` says so, it is open.
        if (event.target !== dialog.current || dialog.current?.open) return;
        reopen();
        onClose();
      }}
    >
      <Frame
        className="flex max-h-[calc(100dvh-1rem)] flex-col sm:max-h-[calc(100dvh-4rem)]"
        {...(onSubmit && {
          noValidate: true,
          onSubmit: (event: React.FormEvent) => {
            event.preventDefault();
            event.stopPropagation();
            onSubmit();
            // Once what is wrong is shown: there it is to be mended.
            requestAnimationFrame(() =>
              dialog.current?.querySelector<HTMLElement>(".dialog-body [aria-invalid=true]")?.focus(),
            );
          },
        })}
      >
        <header className="flex items-start gap-4 px-5 pt-4 pb-2">
          <div className="min-w-0 flex-1 pt-1">
            <h2 id={`${id}-title`} className="text-base font-semibold text-pretty [overflow-wrap:anywhere]">
              {title}
            </h2>
            {description !== undefined && (
              <div
                id={`${id}-description`}
                className="mt-1.5 text-sm leading-relaxed text-ink-soft [overflow-wrap:anywhere]"
              >
                {description}
              </div>
            )}
          </div>
          {role !== "alertdialog" && (
            <Button variant="ghost" size="small" icon="x" isIconOnly onPress={onClose} className="-mr-2">
              {t("close")}
            </Button>
          )}
        </header>
        {children === undefined ? (
          <div className="pb-3" />
        ) : (
          <div className="dialog-body min-h-0 flex-1 overflow-y-auto px-5 pt-2 pb-5">{children}</div>
        )}
        {footer && (
          <footer className="flex flex-col-reverse gap-2 border-t border-line px-5 py-3.5 max-sm:*:w-full sm:flex-row sm:justify-end">
            {footer}
          </footer>
        )}
      </Frame>
    </dialog>
  );
}

/** The page behind stops scrolling: where its scrollbar took room, that stays free, so that nothing moves. */
function keepScrollbarPlace(): void {
  const root = document.documentElement;
  if (window.innerWidth > root.clientWidth) root.style.scrollbarGutter = "stable";
}

function giveScrollbarPlaceBack(): void {
  if (!document.querySelector("dialog[open]")) document.documentElement.style.scrollbarGutter = "";
}
