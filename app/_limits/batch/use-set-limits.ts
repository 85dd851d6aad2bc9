"use client";

import { type BatchTarget, parametersOf } from "@/app/_batch/target";
import type { WalkPlace } from "@/app/_batch/use-walk";
import { trpc } from "@/app/_trpc/client";
import { useRefresh } from "@/app/_trpc/use-refresh";
import type { BatchPatch } from "./choice";

/** What is sent beside the limits: that nothing changes, or the name with which the change is made once. */
type Manner = { dry_run: true } | { request_id: string };

/** Sets limits on the keys of a target, or previews that without changing anything. */
export function useSetLimits(target: BatchTarget) {
  const ofGroup = trpc.groups.setLimits.useMutation();
  const ofKeys = trpc.keys.setLimitsOfMany.useMutation();
  const utils = trpc.useUtils();
  const send = async (patch: BatchPatch, manner: Manner) => {
    if (target.kind !== "group") return ofKeys.mutateAsync({ ...parametersOf(target), ...patch, ...manner });
    // All keys of a group get the limits, or none of them.
    return { ...(await ofGroup.mutateAsync({ group_id: target.id, ...patch, ...manner })), failed: [], left_out: [] };
  };
  const refresh = useRefresh();
  return {
    preview: (patch: BatchPatch) => send(patch, { dry_run: true }),
    /** @param request_id the same for each attempt, so that one whose answer was lost is not made twice. */
    run: async (patch: BatchPatch, request_id: string) => {
      const { updated_count, failed } = await send(patch, { request_id });
      await refresh();
      return { updatedCount: updated_count, failed };
    },
    /** Sets the limits on the next keys of a filter. */
    runPart: (patch: BatchPatch, place: WalkPlace) => {
      if (target.kind !== "filter") throw new TypeError("only the keys of a filter are changed part by part");
      return utils.client.keys.setLimitsOfMany.mutate({ filter: target.filter, ...patch, ...place });
    },
    /** Sets the limits on these keys only. */
    runOn: async (apikeyIds: string[], patch: BatchPatch, request_id: string) => {
      const { updated_count, failed } = await ofKeys.mutateAsync({ apikey_ids: apikeyIds, ...patch, request_id });
      await refresh();
      return { updatedCount: updated_count, failed };
    },
  };
}
