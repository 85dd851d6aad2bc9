import { Children, Fragment, type ReactNode } from "react";

/** A name goes on in the next line after one of these signs. Browsers break a line after a hyphen by themselves. */
const BREAKS = /(?<=[/:_])|(?<=\.)(?!\d)/;

/** A name, such as that of a model, which breaks between its parts where it is wider than its place, and not within a word. */
export function BreakableName({ children }: { children: string }) {
  return children.split(BREAKS).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal, and never change places
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** The same for the name inside a tag of a message. */
export function breakable(text: ReactNode): ReactNode {
  return Children.map(text, (part) => (typeof part === "string" ? <BreakableName>{part}</BreakableName> : part));
}

/** An id inside the tag `whole` of a message goes to the next line as a whole. Browsers break a line after a hyphen. */
export function whole(text: ReactNode): ReactNode {
  return <span className="inline-block">{text}</span>;
}
