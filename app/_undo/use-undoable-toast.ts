"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { useFailureText } from "@/app/_trpc/error-words";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { useToast } from "@/components/toast";
import type { RevertibleAction } from "@/server/history/schema";
import { useLeftOutText } from "./left-out-text";
import { secondsSince } from "./seconds-since";

/** A change that this browser has just made. */
export interface OwnChange {
  action: RevertibleAction;
  /** The key or the group that was changed; none where prices were changed. */
  apikey_id?: string | undefined;
  group_id?: string | undefined;
  /** The names of the requests that have changed many keys, in their order. */
  requestIds?: readonly string[];
  /** A moment before the change was asked for, by `performance.now()`. */
  since: number;
  /** Values that the change has written, as far as they are known. */
  after?: Readonly<Record<string, unknown>>;
}

/**
 * A message about a change, with a button that undoes it: `toast("Key renamed.", { action: "key.renamed", … })`. The button
 * is gone after a while; the history can undo the change at any time.
 */
export function useUndoableToast() {
  const t = useTranslations("undo");
  const toast = useToast();
  const utils = trpc.useUtils();
  const refresh = useRefresh();
  const failureText = useFailureText();
  const leftOutText = useLeftOutText();

  /** The events of the change. No answer to a change names it, so each is the newest one of this person, kind and target, or request. */
  const findEvents = async ({ since, after = {}, requestIds, ...change }: OwnChange) => {
    const seconds = secondsSince(since);
    const asked = requestIds?.map((request_id) => ({ ...change, request_id })) ?? [change];
    const found = await Promise.all(asked.map((each) => utils.client.history.latest.query({ ...each, seconds })));
    return found.flatMap(({ event_id, after: written }) =>
      event_id !== null && Object.entries(after).every(([field, value]) => written[field] === value) ? event_id : [],
    );
  };
  const undo = async (events: Promise<string[]>, isOfPrices: boolean) => {
    try {
      const ids = await events;
      if (ids.length === 0) return toast(t("toast.notFound"), "danger");
      const undone = [];
      for (const event_id of ids) undone.push(await utils.client.history.revert.mutate({ event_id }));
      await refresh();
      const updated = undone.reduce((sum, { updated_count }) => sum + updated_count, 0);
      const count = undone.reduce((sum, { failed_count }) => sum + failed_count, 0);
      const [first] = undone.flatMap(({ failed }) => failed);
      if (!first) return toast(t(isOfPrices ? "toast.donePrices" : "toast.done", { count: updated }));
      toast(t("toast.left", { count, updated, reason: leftOutText(first) }), "danger");
    } catch (error) {
      toast(failureText(error), "danger");
      // Of two events, the first may have been undone.
      void refresh();
    }
  };
  return (text: string, change?: OwnChange) => {
    if (!change) return toast(text);
    const events = findEvents(change);
    const onPress = () => undo(events, change.action.startsWith("models."));
    const tellWithButton = () => toast(text, "good", { label: t("button"), onPress });
    // A failure is told when the button is pressed.
    events.catch(() => {});
    if (change.requestIds === undefined) return tellWithButton();
    // All of many keys may have been as asked for before. Then there is no event, and nothing to undo.
    events.then((ids) => (ids.length === 0 ? toast(text) : tellWithButton()), tellWithButton);
  };
}
