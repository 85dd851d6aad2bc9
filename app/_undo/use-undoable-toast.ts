"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { useFailureText } from "@/app/_trpc/error-words";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { useToast } from "@/components/toast";
import type { RevertibleAction } from "@/server/history/schema";
import { useLeftOutText } from "./left-out-text";

/** A change that this browser has just made. */
export interface OwnChange {
  action: RevertibleAction;
  /** The key or the group that was changed, or the name of the change of many keys; none where prices were changed. */
  apikey_id?: string | undefined;
  group_id?: string | undefined;
  request_id?: string | undefined;
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

  /** The event of the change. No answer to a change names it, so it is the newest one of this person, kind and target, or request. */
  const findEvent = async ({ since, after = {}, ...change }: OwnChange) => {
    const seconds = Math.ceil((performance.now() - since) / 1000) + 1;
    const { event_id, after: written } = await utils.client.history.latest.query({ ...change, seconds });
    return Object.entries(after).every(([field, value]) => written[field] === value) ? event_id : null;
  };
  const undo = async (event: Promise<string | null>, isOfPrices: boolean) => {
    try {
      const event_id = await event;
      if (event_id === null) return toast(t("toast.notFound"), "danger");
      const { updated_count, failed_count, failed } = await utils.client.history.revert.mutate({ event_id });
      await refresh();
      const [first] = failed;
      if (!first) return toast(t(isOfPrices ? "toast.donePrices" : "toast.done", { count: updated_count }));
      toast(t("toast.left", { count: failed_count, updated: updated_count, reason: leftOutText(first) }), "danger");
    } catch (error) {
      toast(failureText(error), "danger");
    }
  };
  return (text: string, change?: OwnChange) => {
    if (!change) return toast(text);
    const event = findEvent(change);
    const onPress = () => void undo(event, change.action.startsWith("models."));
    const tellWithButton = () => toast(text, "good", { label: t("button"), onPress });
    // A failure is told when the button is pressed.
    event.catch(() => {});
    if (change.request_id === undefined) return tellWithButton();
    // All of many keys may have been as asked for before. Then there is no event, and nothing to undo.
    event.then((id) => (id === null ? toast(text) : tellWithButton()), tellWithButton);
  };
}
