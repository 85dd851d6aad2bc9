"use client";

import { useState } from "react";
import { trpc } from "@/app/_trpc/client";
import { useReadCurrent } from "@/app/_trpc/use-read-current";
import type { ModelEntry } from "@/server/prices/schema";
import { draftOf, type PriceDraft } from "./price-draft";

/**
 * The price that is edited: as it was when the dialog opened, or when it was last read again. Saving replaces it as a whole, so
 * that an edit which is based on an older state would undo a change by somebody else.
 * @param onReload takes the present price into the fields.
 */
export function useEditedPrice(model: ModelEntry | undefined, onReload: (draft: PriceDraft) => void) {
  const utils = trpc.useUtils();
  const [base, setBase] = useState(model);
  const readCurrent = useReadCurrent();
  return {
    base,
    reload: async () => {
      if (!base) return;
      const current = await readCurrent(() => utils.client.models.get.query({ model_id: base.model_id }));
      setBase(current);
      onReload(draftOf(current));
    },
  };
}
