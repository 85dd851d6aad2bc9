"use client";

import { Button as HeroButton } from "@heroui/react/button";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Icon, type IconName } from "./icon";

const LOOKS = { first: "primary", second: "outline", quiet: "ghost", danger: "danger" } as const;

/** After this a wait shows; a shorter one would only flicker. */
const SHOWN_AFTER_MS = 300;

export interface ButtonProps {
  /** `first` stands out, once a view. */
  look?: keyof typeof LOOKS | undefined;
  size?: "medium" | "small" | undefined;
  icon?: IconName | undefined;
  /** Shows the icon alone; `children` becomes the accessible name. */
  isIconOnly?: boolean | undefined;
  /** While what it returns is pending, further presses do nothing. */
  onPress?: (() => unknown) | undefined;
  type?: "button" | "submit" | undefined;
  /** The work that it started is under way: it stays in reach, but does nothing. */
  isPending?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** In a dialog: where the focus starts. */
  isFocusedFirst?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A button that does its work once, however often it is pressed, and shows that it is at work. */
export function Button({
  look = "second",
  size = "medium",
  icon,
  isIconOnly = false,
  children,
  ...props
}: ButtonProps) {
  const { onPress, isPending = false, isFocusedFirst, className, type = "button", isDisabled = false } = props;
  const [isRunning, setRunning] = useState(false);
  const running = useRef(false);
  const isBusy = isPending || isRunning;
  const isShown = useLate(isBusy);

  const press = async () => {
    // The state of React is too late for the second click of a double one.
    if (running.current || isPending) return;
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
    <HeroButton
      type={type}
      isDisabled={isDisabled}
      variant={LOOKS[look]}
      size={size === "small" ? "sm" : "md"}
      isIconOnly={isIconOnly}
      isPending={isBusy}
      {...(isIconOnly && typeof children === "string" && { "aria-label": children })}
      {...(onPress && { onPress: press })}
      {...(isFocusedFirst && { "data-focused-first": "" })}
      className={className ?? ""}
    >
      {isShown ? <Spinner /> : icon && <Icon name={icon} />}
      {!isIconOnly && children}
    </HeroButton>
  );
}

function useLate(isBusy: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isBusy) return setShown(false);
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isBusy && isShown;
}

/** A turning arc, for whoever sees it; what is being waited for says its text. */
export function Spinner({ className = "size-4" }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" strokeWidth="3" aria-hidden="true" className={`animate-spin ${className}`}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" opacity=".25" />
      <path d="M12 3a9 9 0 0 1 9 9" stroke="currentColor" strokeLinecap="round" />
    </svg>
  );
}
