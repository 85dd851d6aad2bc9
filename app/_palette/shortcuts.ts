/** What a key of the keyboard does on every page of the dashboard. */
export type Shortcut = "palette" | "search" | "create" | "help";

const SINGLE: Readonly<Record<string, Shortcut>> = { "/": "search", c: "create", "?": "help" };

/** What a key press says, apart from where it happens. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** A Chinese or Japanese word is being composed: its keys are no commands. */
  isComposing: boolean;
}

/** Where a key is pressed. */
export interface Place {
  /** Whether the modifier of commands is ⌘, not Ctrl. */
  isMac: boolean;
  /** Whether keys are text there: a field, or a menu, which finds its items by their first letters. */
  takesText: boolean;
  isDialogOpen: boolean;
  /** Whether shortcuts of one character are on: WCAG 2.1.4. */
  areSingleKeysOn: boolean;
}

/** The shortcut of a key press. One with a modifier works in fields too, but none works in a dialog. */
export function shortcutOf(press: KeyPress, place: Place): Shortcut | undefined {
  if (press.isComposing || place.isDialogOpen || press.altKey) return undefined;
  const isCommand = place.isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  if (isCommand) return press.key.toLowerCase() === "k" ? "palette" : undefined;
  if (press.ctrlKey || press.metaKey || place.takesText || !place.areSingleKeysOn) return undefined;
  return Object.hasOwn(SINGLE, press.key) ? SINGLE[press.key] : undefined;
}
