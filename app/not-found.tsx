import type { Metadata } from "next";
import { ActionLink } from "../components/action-link";
import { PlainPage } from "../components/plain-page";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFoundPage() {
  return (
    <PlainPage heading="Page not found">
      <p className="mt-4 text-lg leading-relaxed text-ink-soft">There is nothing at this address.</p>
      <nav aria-label="Ways on" className="mt-8 flex flex-wrap gap-3">
        <ActionLink href="/" look="first">
          Home
        </ActionLink>
        <ActionLink href="/docs" look="second">
          API reference
        </ActionLink>
      </nav>
    </PlainPage>
  );
}
