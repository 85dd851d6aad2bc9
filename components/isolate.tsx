import type { ReactNode } from "react";

/** A name for the middle of a sentence: written from right to left, it keeps the words around it in their order. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}

/** The same for a message with the tag `bdi`. */
export function bdi(text: ReactNode): ReactNode {
  return <bdi>{text}</bdi>;
}
