import type { KeyboardEvent } from "react";

/** Whether a key belongs to an input method, because a word is being composed. Safari says it by the code alone. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229;
}
