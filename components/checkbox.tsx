"use client";

/** A checkbox. The state `some` means that it stands for several things and some of them are checked. */
export function Checkbox({
  label,
  isLabelShown = false,
  state,
  onChange,
  isDisabled,
}: {
  label: string;
  isLabelShown?: boolean;
  state: boolean | "some";
  onChange(isTicked: boolean): void;
  isDisabled?: boolean;
}) {
  return (
    <label className="inline-flex min-h-6 min-w-6 cursor-pointer items-center justify-center gap-2.5 text-sm has-disabled:cursor-not-allowed has-disabled:opacity-50">
      <input
        type="checkbox"
        {...(!isLabelShown && { "aria-label": label })}
        checked={state === true}
        ref={(input) => {
          if (input) input.indeterminate = state === "some";
        }}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      {isLabelShown && label}
    </label>
  );
}
