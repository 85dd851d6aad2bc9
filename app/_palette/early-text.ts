import { MAX_LENGTH } from "./palette-props";
import type { KeyPress } from "./shortcuts";

/**
 * What a key press makes of the text that is typed before the palette is there. Enter and Backspace are meant for the palette
 * too, and must not reach what has the focus.
 * @param keyboard.isAltGraph whether AltGr is held down, which writes characters.
 * @returns null when the palette is given up; undefined when the press is not meant for it, as that of another command.
 */
export function textAfter(
  text: string,
  { key, ctrlKey, metaKey, altKey, isComposing }: KeyPress,
  { isMac, isAltGraph }: { isMac: boolean; isAltGraph: boolean },
): string | null | undefined {
  const isCommand = !isAltGraph && (ctrlKey || metaKey || (altKey && !isMac));
  if (isComposing || isCommand) return undefined;
  if (key === "Escape") return null;
  if (key === "Enter") return text;
  if (key === "Backspace") return [...text].slice(0, -1).join("");
  // Other keys have names of several letters. A character outside of the basic plane is one all the same.
  if ([...key].length !== 1) return undefined;
  return text.length + key.length > MAX_LENGTH ? text : text + key;
}
