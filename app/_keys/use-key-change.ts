"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { failureOf } from "@/app/_trpc/failure";
import type { Conflict } from "@/components/form-dialog";
import { isolate } from "@/components/isolate";
import { useToast } from "@/components/toast";
import type { Key } from "@/server/keys/schema";

/** One change of one key. It is based on a version of the key, so that it never overwrites a change by somebody else. */
export function useKeyChange(shown: Key, onClose: () => void) {
  const t = useTranslations("keys.done");
  const toast = useToast();
  const utils = trpc.useUtils();
  const [base, setBase] = useState(shown);
  return {
    /** The key as it was when the dialog opened, or when it was last read again. */
    base,
    /** What every change sends: which key, in which version. */
    target: { apikey_id: base.apikey_id, version: base.version },
    /** @param onReload takes the present state of the key into the fields. */
    conflict: (onReload?: (current: Key) => void): Conflict => ({
      isConflict,
      reload: async () => {
        const current = await utils.keys.get.fetch({ apikey_id: shown.apikey_id }, { staleTime: 0 });
        setBase(current);
        onReload?.(current);
      },
    }),
    /** Reports the success, reads everything again, and closes the dialog. */
    finish: (done: "limits" | "rename" | "move" | "disable" | "enable" | "revoke", name: string) => {
      void utils.invalidate();
      toast(t(done, { name: isolate(name) }));
      onClose();
    },
  };
}

function isConflict(error: unknown): boolean {
  const failure = failureOf(error);
  return "status" in failure && failure.status === 409;
}
