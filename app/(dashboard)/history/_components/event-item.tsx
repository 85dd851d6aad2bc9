"use client";

import Link from "next/link";
import { useTranslations } from "use-intl/react";
import { EventSentence } from "@/app/_history/event-sentence";
import { Icon, type IconName } from "@/components/icon";
import { useFormats } from "@/components/use-formats";
import type { HistoryEvent, HistoryKey } from "@/server/history/schema";
import { FieldChanges, PlainValues } from "./field-changes";

const ICONS: Record<string, IconName> = {
  account: "settings",
  key: "key",
  group: "group",
  sign_in: "lock",
};

const IN_SENTENCE = new Set(["sign_in.signed_in", "sign_in.failed", "sign_in.locked_out"]);

/** One change: what happened, the keys and values that changed, who did it, from where, and when. */
export function EventItem({
  event,
  isGroupLiving,
  onShowKeys,
}: {
  event: HistoryEvent;
  /** The group exists, so a link can lead to its page. */
  isGroupLiving: boolean;
  onShowKeys(): void;
}) {
  const t = useTranslations("history");
  const formats = useFormats();
  const { action, actor, address, at, key_count, keys } = event;
  const [noun = ""] = action.split(".");
  const isMany = key_count > 1;
  // The sentence contains all values of these.
  const after = IN_SENTENCE.has(action) ? {} : { ...event.after, ...(!isMany && keys[0]?.after) };
  // The sentence contains the name.
  if (isMadeOrGone(event)) delete after.name;
  // If one key changed, its values before the change are shown as those of the event.
  const before: Record<string, unknown> = isMany ? {} : { ...event.before, ...keys[0]?.before };
  if (isMadeOrGone(event)) delete before.name;
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-2 px-4 py-3.5 text-sm lg:grid-cols-[auto_1fr_17rem]">
      <span className="mt-px grid size-6 place-items-center rounded-full bg-panel text-ink-soft">
        <Icon name={ICONS[noun] ?? "info"} className="size-3.5" />
      </span>
      <div className="grid min-w-0 content-start gap-1.5">
        <h2 className="mt-0.5 font-medium [overflow-wrap:anywhere]">
          <EventSentence event={event} isGroupLiving={isGroupLiving} />
        </h2>
        <FieldChanges before={before} after={after} />
        {isMany && (
          <ul aria-label={t("keys.name")} className="grid gap-1">
            {keys.map((key) => (
              <li key={key.apikey_id}>
                <KeyBefore historyKey={key} />
              </li>
            ))}
          </ul>
        )}
        {key_count > Math.max(keys.length, 1) && (
          <button
            type="button"
            onClick={onShowKeys}
            className="min-h-6 w-fit cursor-pointer text-left text-[13px] text-accent underline underline-offset-4"
          >
            {t("keys.showAll", { count: key_count })}
          </button>
        )}
      </div>
      <div className="col-start-2 text-[13px] leading-5 text-ink-soft lg:col-start-3">
        <p className="text-ink">
          <time dateTime={new Date(at * 1000).toISOString()}>{formats.moment(at, { withSeconds: true })}</time>
        </p>
        <p className="[overflow-wrap:anywhere]">
          {t(`actors.${actor.kind}`)} · <bdi>{actor.name}</bdi>
        </p>
        {address !== null && <p className="[overflow-wrap:anywhere]">{t("from", { address })}</p>}
      </div>
    </li>
  );
}

function isMadeOrGone({ action }: HistoryEvent): boolean {
  return ["key.created", "group.created", "group.deleted"].includes(action);
}

/** One of many keys, with its values before the change, and those after it that are its own. */
export function KeyBefore({ historyKey: { apikey_id, name, before, after } }: { historyKey: HistoryKey }) {
  const t = useTranslations("history");
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-[13px]">
      <Link
        href={`/keys/${encodeURIComponent(apikey_id)}`}
        prefetch={false}
        className="inline-flex min-h-6 min-w-6 items-center underline decoration-line-strong underline-offset-4 [overflow-wrap:anywhere] hover:decoration-current"
      >
        <bdi>{name}</bdi>
      </Link>
      <code className="font-mono text-xs text-ink-soft">{apikey_id}</code>
      {Object.keys(before).length > 0 && (
        <span className="text-ink-soft">
          {t("keys.before")} <PlainValues values={before} />
        </span>
      )}
      {after && (
        <span className="text-ink-soft">
          {t("keys.after")} <PlainValues values={after} />
        </span>
      )}
    </span>
  );
}
