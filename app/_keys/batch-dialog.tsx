"use client";

import { useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { type Attempt, toldOf } from "@/app/_batch/attempts";
import { LeftOutList } from "@/app/_batch/left-out-list";
import { newRequestId } from "@/app/_batch/request-id";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { useUndoableToast } from "@/app/_undo/use-undoable-toast";
import { FormDialog } from "@/components/form-dialog";
import { useFormats } from "@/components/use-formats";
import { sumExactly } from "@/components/yuan";
import { type BatchAction, BatchResult } from "./batch-result";
import { GroupField } from "./group-field";
import { KeyNames } from "./key-names";
import { fitting, type Selected, sharedGroup } from "./selected";

/** What the history calls each change that can be undone. */
const CHANGES = { disable: "key.disabled", enable: "key.enabled", move: "key.moved" } as const;

/** Does one thing to many keys. It asks first, then counts, and names the keys that failed. */
export function BatchDialog({
  action,
  selected,
  onClose,
  onDone,
}: {
  action: BatchAction;
  selected: Selected;
  onClose(): void;
  /** Called before `onClose` when the work was done, even if some keys failed. */
  onDone(): void;
}) {
  const t = useTranslations("keys.batch");
  const formats = useFormats();
  const toast = useUndoableToast();
  const openedAt = useRef(performance.now());
  const { fit, leftOut } = fitting(selected, action);
  const apikeyIds = [...fit.keys()];
  const sharedGroupId = sharedGroup(fit);
  const batch = trpc.keys.batch.useMutation({ onSuccess: useRefresh() });
  // Not the data of the mutation, which is empty during a retry.
  const [result, setResult] = useState<typeof batch.data>();
  const [groupId, setGroupId] = useState(sharedGroupId ?? null);
  // The same until an answer comes, so that a change whose answer was lost is not made twice.
  const requestId = useRef(newRequestId());
  const [attempts, setAttempts] = useState<Attempt[]>([]);
  const run = async (apikey_ids: string[]) => {
    const group = action === "move" && { group_id: groupId };
    const answer = await batch.mutateAsync({ apikey_ids, action, request_id: requestId.current, ...group });
    setAttempts([...attempts, { requestId: requestId.current, count: answer.updated_count }]);
    requestId.current = newRequestId();
    setResult(answer);
  };

  if (result) {
    const finish = () => {
      const { count, requestIds } = toldOf(attempts);
      if (action !== "revoke" && count > 0) {
        toast(t(`done.${action}`, { count }), { action: CHANGES[action], requestIds, since: openedAt.current });
      }
      onDone();
      onClose();
    };
    return <BatchResult action={action} result={result} onRetry={run} onClose={finish} />;
  }
  const isDanger = action === "revoke" || action === "disable";
  return (
    <FormDialog
      isQuestion
      isDanger={isDanger}
      title={t(`title.${action}`, { count: apikeyIds.length })}
      description={
        <div className="grid gap-3">
          {fit.size > 0 && <p>{t(`text.${action}`)}</p>}
          {action === "revoke" && fit.size > 0 && <KeyNames apikeyIds={apikeyIds} />}
          {isDanger && fit.size > 0 && (
            <p>{t("spent", { amount: formats.amount(sumExactly([...fit.values()].map(({ spent }) => spent))) })}</p>
          )}
        </div>
      }
      width="small"
      action={t(`submit.${action}`)}
      // They are there already, so that a press without a choice moves nothing.
      isDisabled={fit.size === 0 || (action === "move" && groupId === sharedGroupId)}
      onSubmit={() => run(apikeyIds)}
      Failure={FailureNotice}
      onClose={onClose}
    >
      {action === "move" && (
        <GroupField
          value={groupId}
          onChange={(id) => {
            setGroupId(id);
            requestId.current = newRequestId();
          }}
        />
      )}
      <LeftOutList leftOut={leftOut} />
    </FormDialog>
  );
}
