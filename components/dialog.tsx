"use client";

import { type ReactNode, useId, useLayoutEffect, useReducer, useRef } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "./button";
import { isComposing } from "./composing";
import { Form } from "./form";
import { focusFirst, handFocusOn } from "./lost-focus";
import { giveScrollbarPlaceBack, keepScrollbarPlace } from "./scrollbar-place";

const WIDTHS = { small: "sm:max-w-md", medium: "sm:max-w-lg", large: "sm:max-w-3xl" };

// It scrolls as a whole where its head and its buttons leave no room for the content between them.
const FRAME = "flex max-h-[calc(100dvh-1rem)] flex-col overflow-y-auto scroll-pt-16 sm:max-h-[calc(100dvh-4rem)]";

export interface DialogProps {
  title: ReactNode;
  /** Escape and the close button ask for it. The caller decides: the dialog is open for as long as it is rendered. */
  onClose(): void;
  /** Whether it can be closed. While its work is under way, it may not be possible. */
  isClosable?: boolean | undefined;
  /** Stands under the title. Screen readers read it together with the title. */
  description?: ReactNode;
  /** The buttons, the main one last. They stay visible while the content scrolls, except in a low window. */
  footer?: ReactNode;
  /** Makes the dialog a form. Enter and a `type="submit"` button send it. */
  onSubmit?: (() => void) | undefined;
  width?: keyof typeof WIDTHS | undefined;
  /** An alert dialog has no close button: it wants an answer. */
  role?: "dialog" | "alertdialog" | undefined;
  children?: ReactNode;
}

/**
 * A modal dialog. It keeps the focus inside, scrolls inside, and returns the focus when it closes. The focus starts on the
 * first element with `isFocusedFirst`, or on the first field.
 */
export function Dialog({
  title,
  onClose,
  isClosable = true,
  description,
  footer,
  onSubmit,
  width = "medium",
  role,
  children,
}: DialogProps) {
  const t = useTranslations("components.dialog");
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened, reopen] = useReducer((count: number) => count + 1, 0);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || opened < 0) return;
    keepScrollbarPlace();
    element.showModal();
    // In a low window, whoever is asked sees the question first, and not its buttons.
    focusFirst(element, { preventScroll: role === "alertdialog" });
    return () => {
      element.close();
      giveScrollbarPlaceBack();
      handFocusOn(element);
    };
  }, [opened, role]);

  const askToClose = () => isClosable && onClose();
  const content = (
    <>
      <header className="flex shrink-0 items-start gap-4 px-5 pt-4 pb-2">
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
          <Button
            variant="ghost"
            size="small"
            icon="x"
            isIconOnly
            onPress={onClose}
            isDisabled={!isClosable}
            // Its sign stands beside the first line of the title.
            className="-mr-2 pointer-coarse:-mt-1"
          >
            {t("close")}
          </Button>
        )}
      </header>
      {children ? (
        // The content shrinks to the height that is named here, and no further: beside large letters it would become a slit. Then the
        // dialog scrolls as a whole.
        <div className="flex h-40 flex-[1_1_content] flex-col [@media(max-height:28rem)]:h-auto [@media(max-height:28rem)]:flex-none">
          {/* A field that gets the focus is seen with its name above it. `relative`: what is placed by itself scrolls with the rest, and
              does not make the dialog around it scroll. */}
          <div className="dialog-body relative min-h-0 flex-auto scroll-pt-16 overflow-y-auto px-5 pt-2 pb-5">
            {children}
          </div>
        </div>
      ) : (
        <div className="pb-3" />
      )}
      {footer && (
        <footer className="flex shrink-0 flex-col-reverse gap-2 border-t border-line px-5 py-3.5 max-sm:*:h-auto! max-sm:*:min-h-9 max-sm:*:w-full max-sm:*:py-1.5 max-sm:*:whitespace-normal! sm:flex-row max-sm:pointer-coarse:*:min-h-11 sm:justify-end">
          {footer}
        </footer>
      )}
    </>
  );
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      {...(description !== undefined && { "aria-describedby": `${id}-description` })}
      className={`m-auto max-h-none w-[calc(100%-1rem)] max-w-none overflow-hidden rounded-xl border border-line bg-raised p-0 whitespace-normal text-ink shadow-floating ${WIDTHS[width]}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
        event.preventDefault();
        event.stopPropagation();
        askToClose();
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        askToClose();
      }}
      onClose={(event) => {
        // A browser may close it without asking, as after two back gestures on a phone. Then the dialog opens again.
        if (event.target !== dialog.current || dialog.current?.open) return;
        reopen();
        askToClose();
      }}
    >
      {onSubmit ? (
        <Form onSubmit={onSubmit} className={FRAME}>
          {content}
        </Form>
      ) : (
        <div className={FRAME}>{content}</div>
      )}
    </dialog>
  );
}
