import { createElement, Fragment, type ReactNode } from "react";

/**
 * A text of the document, with `code` and **strong** words. The document is English, whatever the reader's language: the
 * element around the text says so.
 */
export function richText(text: string): ReactNode {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith("`")) return createElement("code", null, piece.slice(1, -1));
    if (piece.startsWith("**")) return createElement("strong", null, piece.slice(2, -2));
    return piece;
  });
  // Children one by one, and not as an array, need no keys. Keys would double the texts that a browser gets.
  return createElement(Fragment, null, ...pieces);
}
