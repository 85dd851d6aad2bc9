/** Where the device replaces the colours of pages, a button that is known by its colour has a border. */
const VARIANTS = {
  primary:
    "bg-ink text-on-ink forced-colors:border not-disabled:hover:bg-[color-mix(in_oklab,var(--ink)_86%,var(--page))]",
  secondary: "border border-line bg-raised text-ink not-disabled:hover:bg-panel",
  ghost: "text-ink not-disabled:hover:bg-panel",
  danger:
    "bg-danger text-on-danger forced-colors:border not-disabled:hover:bg-[color-mix(in_oklab,var(--danger)_88%,var(--ink))]",
};

/** A finger needs a larger button than a mouse. */
const SIZES = {
  small: "h-8 min-w-8 text-[0.8125rem] pointer-coarse:h-10 pointer-coarse:min-w-10",
  medium: "h-9 min-w-9 text-sm pointer-coarse:h-11 pointer-coarse:min-w-11",
  large: "h-11 min-w-11 text-sm",
};

const PADDING: Record<ButtonSize, string> = { small: "px-2.5", medium: "px-3.5", large: "px-5" };

const SHAPE =
  "relative inline-flex cursor-pointer items-center justify-center justify-self-start gap-2 rounded-lg font-medium whitespace-nowrap select-none transition-[background-color,scale] duration-100 active:scale-[.98] motion-reduce:transition-none disabled:cursor-not-allowed disabled:opacity-50 disabled:active:scale-100 aria-disabled:cursor-progress aria-disabled:opacity-60 aria-disabled:active:scale-100";

/** `primary` stands out, once in a view. */
export type ButtonVariant = keyof typeof VARIANTS;

export type ButtonSize = keyof typeof SIZES;

/** For the place of a button whose text may be wider than a phone with large letters: it has several lines then. */
export const WRAPPING: Record<Exclude<ButtonSize, "large">, string> = {
  small: "h-auto! min-h-8 py-1 text-left whitespace-normal! pointer-coarse:min-h-10",
  medium: "h-auto! min-h-9 py-1.5 text-left whitespace-normal! pointer-coarse:min-h-11",
};

/** The classes of a button, for a link that has the same shape too. */
export function buttonStyle(variant: ButtonVariant, size: ButtonSize, isIconOnly = false): string {
  return `${SHAPE} ${VARIANTS[variant]} ${SIZES[size]} ${isIconOnly ? "" : PADDING[size]}`;
}
