import Link from "next/link";
import type { ReactNode } from "react";
import { buttonStyle } from "@/components/button-style";
import { PageHeading } from "@/components/page-heading";
import { Section } from "@/components/section";

interface LinkTo {
  href: string;
  label: string;
}

/** The page of something that is not there: says what was asked for, and what to do. */
export function MissingPage(props: {
  title: string;
  back: LinkTo;
  /** The id that was asked for. */
  id: string;
  /** A sentence with the id in it. */
  describe(id: ReactNode): ReactNode;
  next: string;
  advice: string;
  /** The first one is where most want to go. */
  links: readonly [LinkTo, LinkTo];
}) {
  const id = <code className="font-mono text-ink [overflow-wrap:anywhere]">{props.id}</code>;
  return (
    <>
      <PageHeading title={props.title} back={props.back} description={props.describe(id)} />
      <Section title={props.next}>
        <p className="mb-4 max-w-2xl text-sm leading-relaxed text-ink-soft">{props.advice}</p>
        <div className="flex flex-wrap gap-2">
          {props.links.map(({ href, label }, place) => (
            <Link
              key={href}
              href={href}
              prefetch={false}
              className={buttonStyle(place === 0 ? "primary" : "secondary", "medium")}
            >
              {label}
            </Link>
          ))}
        </div>
      </Section>
    </>
  );
}
