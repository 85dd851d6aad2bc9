"use client";

import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyle } from "./button-style";
import { Icon, type IconName } from "./icon";
import { useFocusHandedOn, useFocusHandedOver } from "./lost-focus";

/** A shorter wait would only flicker. */
const SHOWN_AFTER_MS = 300;

export interface ButtonProps {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: IconName | undefined;
  /** Shows the icon alone; `children` becomes the accessible name. */
  isIconOnly?: boolean | undefined;
  /** If it returns a promise, the button ignores further presses until the promise settles. */
  onPress?: (() => unknown) | undefined;
  type?: "button" | "submit" | undefined;
  /** The work is under way: the button keeps the focus but does nothing. */
  isPending?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** In a dialog: the focus starts here. */
  isFocusedFirst?: boolean | undefined;
  /** Classes for its place, such as a width or a margin. */
  className?: string | undefined;
  children: ReactNode;
}

/** A button that starts its work once, even on a double click, and shows that the work is under way. */
export function Button({
  variant = "secondary",
  size = "medium",
  icon,
  isIconOnly = false,
  children,
  ...props
}: ButtonProps) {
  const { onPress, isPending = false, isFocusedFirst, className = "", type = "button", isDisabled = false } = props;
  const [isRunning, setRunning] = useState(false);
  const running = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  useFocusHandedOn(button);
  useFocusHandedOver(button, isDisabled);
  const isBusy = isPending || isRunning;
  const isShown = useLate(isBusy);

  const press = async (event: MouseEvent<HTMLButtonElement>) => {
    // Safari does not focus a button that the mouse clicks. A dialog returns the focus to the button that opened it.
    if (event.detail > 0) event.currentTarget.focus();
    // A ref, because a double click clicks again before React has rendered the new state.
    if (running.current || isPending) return event.preventDefault();
    const work = onPress?.();
    if (!(work instanceof Promise)) return;
    running.current = true;
    setRunning(true);
    try {
      await work;
    } finally {
      running.current = false;
      setRunning(false);
    }
  };

  return (
    <button
      ref={button}
      type={type}
      disabled={isDisabled}
      // `disabled` would take the focus away while the work is under way.
      aria-disabled={isBusy || undefined}
      {...(isIconOnly && typeof children === "string" && { "aria-label": children })}
      {...(isFocusedFirst && { "data-focused-first": "" })}
      onClick={press}
      className={`${buttonStyle(variant, size, isIconOnly)} ${className}`}
    >
      {isShown ? <Spinner /> : icon && <Icon name={icon} />}
      {!isIconOnly && children}
    </button>
  );
}

/** Whether a wait is so long that it is shown. */
export function useLate(isBusy: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isBusy) return setShown(false);
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isBusy && isShown;
}

/** A turning arc. It has no accessible name: the text beside it says what the wait is for. */
export function Spinner({ className = "size-4" }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" strokeWidth="3" aria-hidden="true" className={`animate-spin ${className}`}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" opacity=".25" />
      <path d="M12 3a9 9 0 0 1 9 9" stroke="currentColor" strokeLinecap="round" />
    </svg>
  );
}
