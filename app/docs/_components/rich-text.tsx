import type { ReactNode } from "react";

/** A text of the document, with `code` and **strong** words. The document is English, whatever the reader's language. */
export function RichText({ children }: { children: string }) {
  return <span lang="en">{pieces(children)}</span>;
}

/** The same in paragraphs, which empty lines divide. */
export function RichParagraphs({ children }: { children: string }) {
  return children.split("\n\n").map((paragraph) => (
    <p key={paragraph} lang="en" className="mt-3 max-w-3xl leading-relaxed text-ink-soft first:mt-0">
      {pieces(paragraph)}
    </p>
  ));
}

function pieces(text: string): ReactNode[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, index) => {
    const key = `${index} ${piece}`;
    if (piece.startsWith("`")) {
      return (
        <code key={key} className="font-mono text-[0.92em] [overflow-wrap:anywhere] text-ink">
          {piece.slice(1, -1)}
        </code>
      );
    }
    if (piece.startsWith("**")) {
      return (
        <strong key={key} className="font-semibold text-ink">
          {piece.slice(2, -2)}
        </strong>
      );
    }
    return piece;
  });
}
