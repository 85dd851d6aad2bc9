import type { ReactNode } from "react";
import { type ButtonVariant, buttonStyle } from "./button-style";

/** A link in the shape of a large button. It loads the whole page. */
export function ActionLink({ href, variant, children }: { href: string; variant: ButtonVariant; children: ReactNode }) {
  return (
    <a href={href} className={buttonStyle(variant, "large")}>
      {children}
    </a>
  );
}
