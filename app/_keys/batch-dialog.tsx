"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { useFormats } from "@/components/use-formats";
import { GroupField } from "./group-field";

/** Does one thing to many keys: asks first, then counts, and names those that failed. */
export function BatchDialog({
  action,
  apikeyIds,
  spent,
  onClose,
  onDone,
}: {
  action: "enable" | "disable" | "move" | "revoke";
  apikeyIds: string[];
  /** What these keys have spent together, in yuan. */
  spent: number;
  onClose(): void;
  /** It was done, whatever failed; the dialog is about to close. */
  onDone(): void;
}) {
  const t = useTranslations("keys.batch");
  const formats = useFormats();
  const utils = trpc.useUtils();
  const [group, setGroup] = useState("");
  const run = trpc.keys.batch.useMutation({ onSuccess: () => utils.invalidate() });
  const start = (ids: string[]) =>
    run.mutate({
      apikey_ids: ids,
      action,
      ...(action === "move" && { group_id: group === "" ? null : group }),
    });

  const result = run.data;
  if (result) {
    const finish = () => {
      onDone();
      onClose();
    };
    return (
      <Dialog
        isOpen
        title={t("result")}
        width="small"
        onClose={finish}
        footer={
          <>
            {result.failed_count > 0 && (
              <Button isPending={run.isPending} onPress={() => start(result.failed.map(({ apikey_id }) => apikey_id))}>
                {t("retry")}
              </Button>
            )}
            <Button variant="primary" onPress={finish} isFocusedFirst>
              {t("close")}
            </Button>
          </>
        }
      >
        <div className="grid gap-3">
          <Notice tone={result.failed_count > 0 ? "warn" : "good"}>
            {t(`done.${action}`, { count: result.updated_count })}
            {result.failed_count > 0 && ` ${t("failed", { count: result.failed_count })}`}
          </Notice>
          {result.failed.length > 0 && (
            <ul className="grid gap-2 text-sm">
              {result.failed.map(({ apikey_id, name, error }) => (
                <li key={apikey_id}>
                  <bdi className="block font-medium [overflow-wrap:anywhere]">{name ?? apikey_id}</bdi>
                  <span className="text-ink-soft">{error}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Dialog>
    );
  }
  const isDanger = action === "revoke" || action === "disable";
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title={t(`title.${action}`, { count: apikeyIds.length })}
      description={
        isDanger ? `${t(`text.${action}`)} ${t("spent", { amount: formats.amount(spent) })}` : t(`text.${action}`)
      }
      width="small"
      onClose={() => !run.isPending && onClose()}
      footer={
        <>
          <Button isFocusedFirst={action !== "move"} onPress={onClose} isDisabled={run.isPending}>
            {t("cancel")}
          </Button>
          <Button variant={isDanger ? "danger" : "primary"} isPending={run.isPending} onPress={() => start(apikeyIds)}>
            {t(`submit.${action}`)}
          </Button>
        </>
      }
    >
      {(action === "move" || run.error) && (
        <div className="grid gap-3">
          <FailureNotice error={run.error} />
          {action === "move" && <GroupField value={group} onChange={setGroup} />}
        </div>
      )}
    </Dialog>
  );
}
