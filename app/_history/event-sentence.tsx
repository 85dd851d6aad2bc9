"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { type HistoryEvent, listEventsInput } from "@/server/history/schema";

const ACTIONS = listEventsInput.shape.action.unwrap().options;

/** Says in one sentence what happened. Names are links to the pages of keys and groups. */
export function EventSentence({ event, isGroupLiving }: { event: HistoryEvent; isGroupLiving: boolean }) {
  const t = useTranslations("history.sentences");
  const action = ACTIONS.find((each) => each === event.action);
  // A newer server may record an action without a sentence here.
  if (action === undefined) return event.action;
  const { key_count, keys, group_id, group_name, after } = event;
  const [first] = keys;
  return t.rich(action, {
    count: key_count,
    key: first?.name ?? "",
    group: group_name ?? "",
    hasGroup: group_id === null ? "no" : "yes",
    // Keys that were moved back may have gone to several groups.
    hasTarget: after.group === null ? "no" : after.group === undefined && key_count > 1 ? "several" : "yes",
    method: String(after.method),
    factor: String(after.second_factor),
    attempts: Number(after.attempts ?? 0),
    prices: Number(after.price_count ?? 0),
    model: String(after.model ?? ""),
    b: (name: ReactNode) => <bdi>{name}</bdi>,
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
