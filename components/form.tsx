"use client";

import type { ReactNode, Ref } from "react";
import { flushSync } from "react-dom";

/** A form whose fields show their own faults. When fields are wrong after sending, the first one gets the focus. */
export function Form({
  onSubmit,
  className,
  ref,
  children,
}: {
  onSubmit(): void;
  className?: string;
  ref?: Ref<HTMLFormElement>;
  children: ReactNode;
}) {
  return (
    <form
      ref={ref}
      noValidate
      // Outside of a dialog, the browser itself then sends nothing, as when the scripts of the page are not there yet. It would load
      // the page anew: what was typed and the rest of the address would be lost.
      method="dialog"
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        // React passes events of a dialog on to the component that rendered it, which may be a form too.
        event.stopPropagation();
        const form = event.currentTarget;
        // The wrong fields are marked when this returns. A focus that moved later could take what is typed by then.
        flushSync(onSubmit);
        form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      }}
    >
      {children}
    </form>
  );
}
