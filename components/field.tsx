import type { CSSProperties, ReactNode } from "react";

/** The classes that text fields, selects and date fields share. */
export const BOX =
  "min-h-9 w-full min-w-0 rounded-lg border border-line-strong bg-raised px-3 text-sm text-ink placeholder:text-ink-soft pointer-coarse:min-h-11 pointer-coarse:text-base disabled:opacity-50 aria-invalid:border-danger forced-colors:aria-invalid:border-3";

/** The classes of a label around a radio button, in a row of choices. */
export const CHIP =
  "cursor-pointer rounded-lg border border-line bg-raised px-3 py-1.5 text-[0.8125rem] hover:bg-panel has-checked:border-accent has-checked:text-accent has-checked:font-medium forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:opacity-50 pointer-coarse:py-3";

/**
 * The classes of two fields side by side, each with a hint. Label, hint, input and error of one stand in line with those of the
 * other, however many lines a hint has.
 */
export const TWO_FIELDS = "grid gap-x-4 gap-y-4 sm:grid-cols-2 sm:gap-y-1.5 sm:*:row-span-4 sm:*:grid-rows-subgrid";

/**
 * Keeps the place of a unit free at the end of a box. A short unit leaves more room to the amount, which must be read whole.
 */
export function besideUnit(unit: string): CSSProperties {
  return { paddingRight: `${1.75 + unit.length / 2}em` };
}

export interface FieldProps {
  label: string;
  /** Stands below the label and says what to enter. */
  hint?: ReactNode;
  /** What is wrong with the value. It also marks the field as invalid. */
  error?: string | undefined;
}

/** The attributes that connect an input to its hint and its error. */
export function fieldIds(id: string, { hint, error }: Pick<FieldProps, "hint" | "error">) {
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    id,
    ...(described && { "aria-describedby": described }),
    ...(error && { "aria-invalid": true as const }),
  };
}

/**
 * The label above an input, and the error below.
 * @param isErrorReserved see `FieldError`.
 */
export function Field({
  id,
  label,
  hint,
  error,
  isErrorReserved = false,
  children,
}: FieldProps & { id: string; isErrorReserved?: boolean; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="-mt-1 text-[0.8125rem] text-ink-soft">
          {hint}
        </p>
      )}
      {children}
      <FieldError id={id} error={error} isReserved={isErrorReserved} />
    </div>
  );
}

/**
 * An error of a field. Screen readers announce it when it appears.
 * @param isReserved keeps a line free for it. An error that appears when a field is left must not move the button that is
 * being pressed: the press would be lost. Its sentence must fit into one line of a dialog that is 360 px wide.
 */
export function FieldError({
  id,
  error,
  isReserved = false,
}: {
  id: string;
  error: string | undefined;
  isReserved?: boolean;
}) {
  return (
    <p
      id={`${id}-error`}
      aria-live="polite"
      className={`text-[0.8125rem]/5 text-danger ${isReserved ? "-mt-1 -mb-2 min-h-5" : "empty:hidden"}`}
    >
      {error}
    </p>
  );
}
