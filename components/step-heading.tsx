"use client";

import { useEffect, useRef } from "react";

/** Says what a step of a dialog is about. It takes the focus, because the button that led to the step is gone. */
export function StepHeading({ isFocused = true, children }: { isFocused?: boolean; children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFocusedAtFirst = useRef(isFocused);
  useEffect(() => {
    if (isFocusedAtFirst.current) heading.current?.focus();
  }, []);
  return (
    <h3 ref={heading} tabIndex={-1} className="text-sm font-medium outline-none">
      {children}
    </h3>
  );
}
