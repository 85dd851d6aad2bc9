"use client";

import Link from "next/link";
import { memo, type ReactNode, useId } from "react";
import { useTranslations } from "use-intl/react";
import { EventSentence } from "@/app/_history/event-sentence";
import { KeyId } from "@/app/_keys/key-id";
import { buttonStyle } from "@/components/button-style";
import { Icon, type IconName } from "@/components/icon";
import { useFormats } from "@/components/use-formats";
import { type HistoryEvent, type HistoryKey, REVERTIBLE_ACTIONS } from "@/server/history/schema";
import { ChangesOfKey, FieldChanges } from "./field-changes";
import { tellingValues } from "./price-values";

const ICONS: Record<string, IconName> = {
  account: "settings",
  key: "key",
  group: "group",
  models: "model",
  sign_in: "lock",
};

const IN_SENTENCE = new Set(["sign_in.signed_in", "sign_in.failed", "sign_in.locked_out"]);

/**
 * One change: what happened, the keys and values that changed, who did it, from where, and when. It is drawn again only when
 * one of these properties is another one.
 */
export const EventItem = memo(function EventItem({
  event,
  isGroupLiving,
  onShowKeys,
  onShowPrices,
  onUndo,
}: {
  event: HistoryEvent;
  /** The group exists, so a link can lead to its page. */
  isGroupLiving: boolean;
  onShowKeys(event: HistoryEvent): void;
  onShowPrices(event: HistoryEvent): void;
  onUndo(event: HistoryEvent): void;
}) {
  const t = useTranslations("history");
  const words = useTranslations("undo");
  const formats = useFormats();
  const id = useId();
  const { action, actor, address, at, key_count, keys } = event;
  const [noun = ""] = action.split(".");
  const isMany = key_count > 1;
  const priceCount = Number(event.after.price_count ?? 0);
  // The sentence contains all values of these.
  const after: Record<string, unknown> = IN_SENTENCE.has(action) ? {} : { ...event.after };
  if (!isMany) Object.assign(after, keys[0]?.after);
  // The sentence contains the name.
  if (isMadeOrGone(event)) delete after.name;
  // If one key changed, its values before the change are shown as those of the event.
  const before: Record<string, unknown> = isMany ? {} : { ...event.before, ...keys[0]?.before };
  if (isMadeOrGone(event)) delete before.name;
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-2 px-4 py-3.5 text-sm lg:grid-cols-[auto_1fr_15rem_6.5rem]">
      <span className="mt-px grid size-6 place-items-center rounded-full bg-panel text-ink-soft">
        <Icon name={ICONS[noun] ?? "info"} className="size-3.5" />
      </span>
      <div className="grid min-w-0 content-start gap-1.5">
        <h2 id={id} className="mt-0.5 font-medium [overflow-wrap:anywhere]">
          <EventSentence event={event} isGroupLiving={isGroupLiving} />
        </h2>
        {noun === "models" ? (
          <FieldChanges before={tellingValues(before, after)} after={tellingValues(after, before)} />
        ) : (
          <FieldChanges before={before} after={after} />
        )}
        {isMany && (
          <ul aria-label={t("keys.name")} className="grid gap-1">
            {keys.map((key) => (
              <li key={key.apikey_id}>
                <KeyBefore historyKey={key} after={event.after} />
              </li>
            ))}
          </ul>
        )}
        {key_count > Math.max(keys.length, 1) && (
          <button
            type="button"
            onClick={() => onShowKeys(event)}
            className="min-h-6 w-fit cursor-pointer text-left text-[0.8125rem] text-accent underline underline-offset-4"
          >
            {t("keys.showAll", { count: key_count })}
          </button>
        )}
        {priceCount > 1 && (
          <button
            type="button"
            onClick={() => onShowPrices(event)}
            className="min-h-6 w-fit cursor-pointer text-left text-[0.8125rem] text-accent underline underline-offset-4"
          >
            {t("prices.showAll", { count: priceCount })}
          </button>
        )}
        <Undoing event={event} />
      </div>
      <div className="col-start-2 text-[0.8125rem] leading-5 text-ink-soft lg:col-start-3">
        <p className="text-ink">
          <time dateTime={new Date(at * 1000).toISOString()}>{formats.moment(at, { withSeconds: true })}</time>
        </p>
        <p className="[overflow-wrap:anywhere]">
          {t(`actors.${actor.kind}`)} · <bdi className="inline-block">{actor.name}</bdi>
        </p>
        {address !== null && <p className="[overflow-wrap:anywhere]">{t("from", { address })}</p>}
      </div>
      {(REVERTIBLE_ACTIONS as readonly string[]).includes(action) && (
        <div className="col-start-2 lg:col-start-4 lg:justify-self-end">
          <button
            type="button"
            aria-describedby={id}
            onClick={() => onUndo(event)}
            className={buttonStyle("secondary", "small")}
          >
            <Icon name="undo" className="size-3.5" />
            {words("button")}
          </button>
        </div>
      )}
    </li>
  );
});

/** What undid the event, and what it undid itself. */
function Undoing({ event: { action, reverts, reverted_by } }: { event: HistoryEvent }) {
  const t = useTranslations("undo");
  if (action === "key.revoked") return <p className="text-[0.8125rem] text-ink-soft">{t("final")}</p>;
  if (reverts === null && reverted_by === null) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-ink-soft">
      {reverted_by !== null && <span>{t.rich("undone", { link: linkTo(reverted_by) })}</span>}
      {reverts !== null && <span>{t.rich("undoes", { link: linkTo(reverts) })}</span>}
    </p>
  );
}

/** A link to one event. */
function linkTo(eventId: string) {
  return (text: ReactNode) => (
    <Link href={`/history?search=${eventId}`} prefetch={false} className="text-accent underline underline-offset-4">
      {text}
    </Link>
  );
}

function isMadeOrGone({ action }: HistoryEvent): boolean {
  return ["key.created", "group.created", "group.deleted"].includes(action);
}

/** One of many keys, with its values before the change. */
export function KeyBefore({
  historyKey: { apikey_id, name, before, after: own },
  after,
}: {
  historyKey: HistoryKey;
  /** The values after that are those of all keys. */
  after: Readonly<Record<string, unknown>>;
}) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-[0.8125rem]">
      <Link
        href={`/keys/${encodeURIComponent(apikey_id)}`}
        prefetch={false}
        className="inline-flex min-h-6 min-w-6 items-center underline decoration-line-strong underline-offset-4 [overflow-wrap:anywhere] hover:decoration-current"
      >
        <bdi>{name}</bdi>
      </Link>
      <KeyId>{apikey_id}</KeyId>
      {Object.keys(before).length > 0 && (
        <span className="text-ink-soft">
          <ChangesOfKey before={before} shared={after} own={own} />
        </span>
      )}
    </span>
  );
}
