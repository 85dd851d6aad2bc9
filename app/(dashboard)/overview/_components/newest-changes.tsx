"use client";

import { useTranslations } from "use-intl/react";
import { EventSentence } from "@/app/_history/event-sentence";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import type { HistoryEvent } from "@/server/history/schema";
import { SectionLink } from "./section-link";

/** The last changes of the account: what, through what, and when. */
export function NewestChanges({ events }: { events: readonly HistoryEvent[] }) {
  const t = useTranslations("overview.changes");
  const history = useTranslations("history");
  const formats = useFormats();
  return (
    <Section title={t("title")} actions={<SectionLink href="/history">{t("all")}</SectionLink>}>
      {events.length === 0 ? (
        <p className="text-sm text-ink-soft">{t("none")}</p>
      ) : (
        <ol aria-label={t("title")} className="-my-2 divide-y divide-line text-[0.8125rem]">
          {events.map((event) => (
            <li key={event.id} className="py-2">
              <p className="leading-snug [overflow-wrap:anywhere]">
                {/* The group may be gone, so its name leads nowhere. */}
                <EventSentence event={event} isGroupLiving={false} />
              </p>
              <p className="mt-0.5 text-ink-soft [overflow-wrap:anywhere]">
                <time dateTime={new Date(event.at * 1000).toISOString()} title={formats.moment(event.at)}>
                  {formats.relative(event.at)}
                </time>
                {" · "}
                {history(`actors.${event.actor.kind}`)} · <bdi className="inline-block">{event.actor.name}</bdi>
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
