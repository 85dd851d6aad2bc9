import { Fragment } from "react";

/**
 * An amount that goes on in the next line where it is wider than its place. It breaks after a separator of thousands, and
 * not within a group of digits.
 */
export function BreakableAmount({ children }: { children: string }) {
  return children.split(/(?<=,)/).map((group, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: groups of digits may be equal, and never change places
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {group}
    </Fragment>
  ));
}
