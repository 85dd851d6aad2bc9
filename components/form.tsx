"use client";

import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { flushSync } from "react-dom";

/**
 * A form whose fields show their own faults. When fields are wrong after sending, the first one gets the focus. One that is sent
 * before the scripts of the page are there is sent as soon as they are.
 */
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
  const form = useRef<HTMLFormElement>(null);
  useImperativeHandle(ref, () => form.current as HTMLFormElement);
  const [isSentEarly, setSentEarly] = useState(false);
  // React draws this after what the fields have taken over (components/entered-early.ts), because it gives an action less priority.
  useEffect(() => {
    if (isSentEarly) form.current?.requestSubmit();
  }, [isSentEarly]);
  return (
    <form
      ref={form}
      noValidate
      // React notes in the page itself that a form with an action was sent, and runs the action when its scripts are there. Later,
      // `onSubmit` keeps it from running.
      action={() => setSentEarly(true)}
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
