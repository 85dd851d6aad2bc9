"use client";

import { useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { isConflict } from "@/app/_trpc/failure";
import { useMake } from "@/app/_trpc/use-make";
import { useReadCurrent } from "@/app/_trpc/use-read-current";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { type OwnChange, useUndoableToast } from "@/app/_undo/use-undoable-toast";
import type { Conflict } from "@/components/form-dialog";
import { isolate } from "@/components/isolate";
import type { FoundKey, Key } from "@/server/keys/schema";

/** What the history calls each change. A revoked key stays revoked. */
const ACTIONS = {
  limits: "key.limits_set",
  rename: "key.renamed",
  move: "key.moved",
  disable: "key.disabled",
  enable: "key.enabled",
  revoke: undefined,
} as const;

/** One change of one key. It is based on a version of the key, so that it never overwrites a change by somebody else. */
export function useKeyChange(shown: Key, onClose: () => void) {
  const t = useTranslations("keys.done");
  const toast = useUndoableToast();
  const openedAt = useRef(performance.now());
  const utils = trpc.useUtils();
  const readCurrent = useReadCurrent();
  const refresh = useRefresh();
  const [base, setBase] = useState(shown);
  const makeOnce = useMake();
  const read = () => readCurrent(() => utils.keys.get.fetch({ apikey_id: shown.apikey_id }, { staleTime: 0 }));
  return {
    /** The key as it was when the dialog opened, or when it was last read again. */
    base,
    /** What every change sends: which key, in which version. */
    target: { apikey_id: base.apikey_id, version: base.version },
    /** @param onReload takes the present state of the key into the fields. */
    conflict: (onReload?: (current: FoundKey) => void): Conflict => ({
      isConflict,
      reload: async () => {
        const current = await read();
        setBase(current);
        onReload?.(current);
      },
    }),
    /**
     * Makes the change. An attempt whose answer was lost may have made it. Then the next attempt is refused, but
     * because of nobody else's change.
     * @param isMade whether the key is as it was asked for.
     */
    make: <Answer>(change: () => Promise<Answer>, isMade: (current: FoundKey) => boolean) =>
      // A key that is revoked already is refused by another rule than its version, so that every refusal counts.
      makeOnce(change, async () => {
        const current = await read();
        return isMade(current) ? current : undefined;
      }),
    /**
     * Reports the success, offers to undo it, and closes the dialog when everything is read again.
     * @param version of the key after the change, where it is known: the same as before when nothing changed.
     * @param after values that the change has written.
     */
    finish: async (done: keyof typeof ACTIONS, name: string, version?: number, after: OwnChange["after"] = {}) => {
      const action = ACTIONS[done];
      const isUndoable = action !== undefined && version !== base.version;
      const change = isUndoable ? { action, apikey_id: shown.apikey_id, since: openedAt.current, after } : undefined;
      toast(t(done, { name: isolate(name) }), change);
      await refresh();
      onClose();
    },
  };
}
