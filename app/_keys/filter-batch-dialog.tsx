"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { LeftOutList } from "@/app/_batch/left-out-list";
import type { KeysTarget } from "@/app/_batch/target";
import { useWalk } from "@/app/_batch/use-walk";
import { WalkDialog } from "@/app/_batch/walk-dialog";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { FormDialog } from "@/components/form-dialog";
import { Loading } from "@/components/loading";
import { TextField } from "@/components/text-field";
import { useFormats } from "@/components/use-formats";
import type { PreviewOfAction } from "@/server/keys/schema";
import type { BatchAction } from "./batch-result";
import { GroupField } from "./group-field";
import { KeyId } from "./key-id";

/** Does one thing to all keys that match a filter: previews it, does it call by call, and says what was done. */
export function FilterBatchDialog({
  action,
  target,
  onClose,
  onDone,
}: {
  action: BatchAction;
  target: Extract<KeysTarget, { kind: "filter" }>;
  onClose(): void;
  /** Called before `onClose` when anything may have been done. */
  onDone(): void;
}) {
  const t = useTranslations("keys.batch");
  const formats = useFormats();
  const { client } = trpc.useUtils();
  const [chosen, setChosen] = useState<string | null>();
  const [typed, setTyped] = useState("");
  const [isChecked, setChecked] = useState(false);
  const isMove = action === "move";
  const shared = usePreview(action, target, null).data?.preview?.shared_group_id;
  const groupId = chosen === undefined ? (shared ?? null) : chosen;
  const { data, error, refetch, isPlaceholderData } = usePreview(action, target, groupId);
  const preview = data?.preview;
  const { walk, start, stop, goOn } = useWalk((place) =>
    client.keys.batch.mutate({ filter: target.filter, action, ...(isMove && { group_id: groupId }), ...place }),
  );
  const count = preview?.key_count ?? target.count;

  if (walk) {
    return (
      <WalkDialog
        title={t(`running.${action}`)}
        walk={walk}
        doneText={(done) => t(`done.${action}`, { count: done })}
        onStop={stop}
        onGoOn={goOn}
        onClose={() => {
          onDone();
          onClose();
        }}
      />
    );
  }
  // The most destructive action wants the number, because so many keys cannot be looked at one by one.
  const isTyped = action !== "revoke" || typed.replace(/[\s,.]/g, "") === String(count);
  return (
    <FormDialog
      isQuestion
      isDanger={action === "revoke" || action === "disable"}
      title={t(`title.${action}`, { count })}
      description={<p>{t(`text.${action}`)}</p>}
      action={t(`submit.${action}`)}
      isDisabled={!preview || isPlaceholderData || preview.changed_count === 0}
      check={() => {
        setChecked(true);
        return isTyped;
      }}
      onSubmit={async () => start(data?.remaining_count ?? target.count)}
      Failure={FailureNotice}
      onClose={onClose}
    >
      {isMove && <GroupField value={groupId} onChange={setChosen} />}
      <FailureNotice error={error} onRetry={refetch} />
      {!data && !error && <Loading>{t("counting")}</Loading>}
      {preview && <Counted kind={isMove && groupId === null ? "ungroup" : action} preview={preview} />}
      {preview && preview.spent > 0 && (action === "revoke" || action === "disable") && (
        <p className="text-sm">{t("spent", { amount: formats.amount(preview.spent) })}</p>
      )}
      {data?.left_out && <LeftOutList leftOut={data.left_out} />}
      {action === "revoke" && preview && preview.changed_count > 0 && (
        <TextField
          label={t("typeNumber", { count })}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
          error={isChecked && !isTyped ? t("typeNumberFault", { count }) : undefined}
        />
      )}
    </FormDialog>
  );
}

/** What the action would do, as the server says. */
function usePreview(action: BatchAction, { filter }: { filter: Filter }, groupId: string | null) {
  const { client } = trpc.useUtils();
  const asked = { filter, action, ...(action === "move" && { group_id: groupId }), dry_run: true };
  return useQuery({
    queryKey: ["preview of an action", asked],
    queryFn: () => client.keys.batch.mutate(asked),
    placeholderData: keepPreviousData,
    // The dialog shows what would happen now.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type Filter = Extract<KeysTarget, { kind: "filter" }>["filter"];

/** How many keys change, how many are so already, and which work now and would be refused. */
function Counted({ kind, preview }: { kind: BatchAction | "ungroup"; preview: PreviewOfAction }) {
  const t = useTranslations("keys.batch");
  const { key_count, changed_count, blocked_count, blocked } = preview;
  const unchanged = key_count - changed_count;
  return (
    <div className="grid gap-1.5 rounded-lg bg-panel px-3.5 py-3 text-sm tabular-nums">
      <p className="font-medium">{t(`counted.${kind}`, { count: changed_count })}</p>
      {unchanged > 0 && <p className="text-ink-soft">{t(`already.${kind}`, { count: unchanged })}</p>}
      {blocked_count > 0 && (
        <div className="text-ink-soft [overflow-wrap:anywhere]">
          <p>{t("blocked", { count: blocked_count })}</p>
          <ul>
            {blocked.slice(0, NAMES_SHOWN).map(({ apikey_id, name }) => (
              <li key={apikey_id}>
                <bdi className="text-ink">{name}</bdi> <KeyId>{apikey_id}</KeyId>
              </li>
            ))}
            {blocked_count > NAMES_SHOWN && <li>{t("more", { count: blocked_count - NAMES_SHOWN })}</li>}
          </ul>
        </div>
      )}
    </div>
  );
}

const NAMES_SHOWN = 3;
