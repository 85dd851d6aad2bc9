"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import type { HistoryEvent } from "@/server/history/schema";
import { ACTIONS } from "./history-address";

/** What happened, in a sentence. Names lead to the pages of what they name. */
export function EventSentence({ event, isGroupLiving }: { event: HistoryEvent; isGroupLiving: boolean }) {
  const t = useTranslations("history.sentences");
  const action = ACTIONS.find((each) => each === event.action);
  // One that a newer server writes: its name is better than nothing.
  if (action === undefined) return event.action;
  const { key_count, keys, group_id, group_name, after } = event;
  const [first] = keys;
  return t.rich(action, {
    count: key_count,
    key: first?.name ?? "",
    group: group_name ?? "",
    hasGroup: group_id === null ? "no" : "yes",
    hasTarget: after.group === null ? "no" : "yes",
    keyLink: (name: ReactNode) =>
      first ? <NameLink href={`/keys/${encodeURIComponent(first.apikey_id)}`}>{name}</NameLink> : name,
    groupLink: (name: ReactNode) =>
      isGroupLiving ? <NameLink href={`/groups/${group_id}`}>{name}</NameLink> : <bdi>{name}</bdi>,
  });
}

function NameLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="underline decoration-line-strong underline-offset-4 hover:decoration-current"
    >
      <bdi>{children}</bdi>
    </Link>
  );
}
