"use client";

import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { useEnteredEarly } from "./entered-early";
import { BOX, Field, type FieldProps, fieldIds } from "./field";

export interface PasswordFieldProps extends FieldProps {
  value: string;
  onChange(value: string): void;
  autoComplete: "current-password" | "new-password";
  isFocusedFirst?: boolean | undefined;
}

/** A field for a password, with a button that shows what was typed until the form is sent. */
export function PasswordField({
  label,
  hint,
  error,
  value,
  onChange,
  autoComplete,
  isFocusedFirst,
}: PasswordFieldProps) {
  const t = useTranslations("components.password");
  const id = useId();
  const [isShown, setShown] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useEnteredEarly(box, "value", value, onChange);
  // A browser may remember the text of a sent field that is not a password.
  useEffect(() => {
    const form = box.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          ref={box}
          {...fieldIds(id, { hint, error })}
          type={isShown ? "text" : "password"}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          aria-required
          data-focused-first={isFocusedFirst ? "" : undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${BOX} pr-16`}
        />
        <button
          type="button"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-1 right-1 min-w-12 cursor-pointer rounded-md px-2 text-[0.8125rem] text-ink-soft hover:bg-panel hover:text-ink aria-pressed:bg-panel aria-pressed:font-medium aria-pressed:text-accent"
        >
          {t("show")}
          <span className="sr-only">{t("what")}</span>
        </button>
      </div>
    </Field>
  );
}
