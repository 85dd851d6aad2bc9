"use client";

import { trpc } from "@/app/_trpc/client";
import type { LimitPatch } from "@/server/limits/schema";
import type { BatchTarget } from "./target";

/** Sets limits on the keys of a target, or previews that without changing anything. */
export function useSetLimits(target: BatchTarget) {
  const ofGroup = trpc.groups.setLimits.useMutation();
  const ofKeys = trpc.keys.setLimitsOfMany.useMutation();
  const utils = trpc.useUtils();
  const send = async (patch: LimitPatch, dry_run: boolean) => {
    if (target.kind === "keys") {
      return ofKeys.mutateAsync({ apikey_ids: target.apikeyIds, ...patch, dry_run });
    }
    // All keys of a group get the limits, or none of them.
    return { ...(await ofGroup.mutateAsync({ group_id: target.id, ...patch, dry_run })), failed: [] };
  };
  const refresh = () => {
    utils.keys.invalidate();
    utils.groups.invalidate();
    utils.history.invalidate();
  };
  return {
    preview: (patch: LimitPatch) => send(patch, true),
    run: async (patch: LimitPatch) => {
      const { updated_count, failed } = await send(patch, false);
      refresh();
      return { updatedCount: updated_count, failed };
    },
    /** Sets the limits on these keys only. */
    runOn: async (apikeyIds: string[], patch: LimitPatch) => {
      const { updated_count, failed } = await ofKeys.mutateAsync({ apikey_ids: apikeyIds, ...patch });
      refresh();
      return { updatedCount: updated_count, failed };
    },
  };
}
