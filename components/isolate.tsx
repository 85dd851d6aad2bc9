import type { ReactNode } from "react";
import { breakable } from "./breakable-name";

/** A name inside a plain text. The marks keep the words around a right-to-left name in their order. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}

/** The same for the tag `bdi` of a message. A long name breaks between its parts. */
export function bdi(text: ReactNode): ReactNode {
  return <bdi>{breakable(text)}</bdi>;
}
