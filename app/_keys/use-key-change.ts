"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { isolate } from "@/components/isolate";
import { useToast } from "@/components/toast";
import type { Key } from "@/server/keys/schema";

/**
 * One change of one key, based on the state that is shown: a change that somebody made meanwhile is told, and nothing
 * is overwritten.
 */
export function useKeyChange(shown: Key, onClose: () => void) {
  const t = useTranslations("keys.done");
  const toast = useToast();
  const utils = trpc.useUtils();
  const [base, setBase] = useState(shown);
  return {
    /** The key as it was when the dialog opened, or when it was last read again. */
    base,
    /** Reads the key again; what is typed stays. */
    reload: async () => {
      const current = await utils.keys.get.fetch({ apikey_id: shown.apikey_id }, { staleTime: 0 });
      setBase(current);
      return current;
    },
    /** Says that it is done, shows the new state everywhere, and closes the dialog. */
    finish: (done: "limits" | "rename" | "move" | "disable" | "enable" | "revoke", name: string) => {
      void utils.invalidate();
      toast(t(done, { name: isolate(name) }));
      onClose();
    },
  };
}
