import type { Metadata } from "next";
import { Mark } from "../../components/mark";
import { Reference } from "./reference";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every operation of the REST API, to read and to try",
};

export default function DocsPage() {
  return (
    <>
      <header className="sticky top-0 z-20 flex h-12 items-center gap-6 border-b border-line bg-page px-4 text-sm">
        <a href="/" className="flex items-center gap-2.5 font-medium">
          <Mark className="size-5" />
          Allowance
        </a>
        <a href="/openapi.json" className="text-ink-soft underline-offset-4 hover:text-ink hover:underline">
          openapi.json
        </a>
      </header>
      <noscript>
        <p className="p-8">The reference needs JavaScript. What it shows is written in openapi.json.</p>
      </noscript>
      <Reference />
    </>
  );
}
