import Link from "next/link";

/** Leads from a section of the overview to the page that has all of it. */
export function SectionLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="inline-flex min-h-6 items-center text-[0.8125rem] text-accent underline-offset-4 hover:underline"
    >
      {children}
      <span aria-hidden="true">&nbsp;→</span>
    </Link>
  );
}
