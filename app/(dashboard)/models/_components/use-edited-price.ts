"use client";

import { useState } from "react";
import { trpc } from "@/app/_trpc/client";
import { useReadCurrent } from "@/app/_trpc/use-read-current";
import type { Conflict } from "@/components/form-dialog";
import type { ModelEntry } from "@/server/prices/schema";
import { draftOf, type PriceDraft } from "./price-draft";

class ChangedMeanwhile extends Error {}

/**
 * The price that is edited. Saving replaces it as a whole, so that an edit which is based on an older state would undo a
 * change by somebody else.
 * @param onReload takes the present price into the fields.
 */
export function useEditedPrice(model: ModelEntry | undefined, onReload: (draft: PriceDraft) => void) {
  const utils = trpc.useUtils();
  const [base, setBase] = useState(model);
  const readCurrent = useReadCurrent();
  const read = ({ model_id }: ModelEntry) => readCurrent(() => utils.client.models.get.query({ model_id }));
  return {
    /** @throws when somebody has changed or deleted the price since it was read. */
    expectUnchanged: async () => {
      if (base && !isSamePrice(base, await read(base))) throw new ChangedMeanwhile();
    },
    conflict: {
      isConflict: (error) => error instanceof ChangedMeanwhile,
      reload: async () => {
        if (!base) return;
        const current = await read(base);
        setBase(current);
        onReload(draftOf(current));
      },
    } satisfies Conflict,
  };
}

function isSamePrice(one: ModelEntry, other: ModelEntry): boolean {
  return JSON.stringify(draftOf(one)) === JSON.stringify(draftOf(other));
}
