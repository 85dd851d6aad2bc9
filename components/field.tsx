import type { ReactNode } from "react";

/** How a text box, a list and a date look alike. */
export const BOX =
  "min-h-9 w-full min-w-0 rounded-lg border border-line-strong bg-raised px-3 text-sm text-ink placeholder:text-ink-soft pointer-coarse:min-h-11 pointer-coarse:text-base disabled:opacity-50 aria-invalid:border-danger";

/** How the choices of a small set look: labels side by side, each around its radio button. */
export const CHIP =
  "cursor-pointer rounded-lg border border-line bg-raised px-3 py-1.5 text-[13px] hover:bg-panel has-checked:border-accent has-checked:text-accent has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:opacity-50 pointer-coarse:py-3";

export interface FieldProps {
  label: string;
  /** Stands below the label: what to enter. */
  hint?: ReactNode;
  /** What is wrong with the value; the field is marked with it. */
  error?: string | undefined;
}

/** Ids that tie a box to its words, and what the box says of itself. */
export function fieldIds(id: string, { hint, error }: Pick<FieldProps, "hint" | "error">) {
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    id,
    ...(described && { "aria-describedby": described }),
    ...(error && { "aria-invalid": true as const }),
  };
}

/** The words around a box: label above, what is wrong below. */
export function Field({ id, label, hint, error, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="-mt-1 text-[13px] text-ink-soft">
          {hint}
        </p>
      )}
      {children}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** What is wrong, read out as soon as it appears. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    <p id={`${id}-error`} aria-live="polite" className="text-[13px] text-danger empty:hidden">
      {error}
    </p>
  );
}
