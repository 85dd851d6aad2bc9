"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { bdi } from "@/components/isolate";
import { useFormats } from "@/components/use-formats";
import type { Key } from "@/server/keys/schema";
import { ChangeFailure } from "./change-failure";
import { useKeyChange } from "./use-key-change";

/** Asks before a key is disabled, enabled, or revoked for good. */
export function SwitchKeyDialog({
  action,
  apikey,
  onClose,
}: {
  action: "disable" | "enable" | "revoke";
  apikey: Key;
  onClose(): void;
}) {
  const t = useTranslations(`keys.switching.${action}`);
  const all = useTranslations("keys.switching");
  const formats = useFormats();
  const { base, reload, finish } = useKeyChange(apikey, onClose);
  const options = { onSuccess: () => finish(action, apikey.name) };
  const disable = trpc.keys.disable.useMutation(options);
  const enable = trpc.keys.enable.useMutation(options);
  const revoke = trpc.keys.revoke.useMutation(options);
  const change = { disable, enable, revoke }[action];
  return (
    <ConfirmDialog
      isOpen
      title={t.rich("title", { name: apikey.name, bdi })}
      action={t("submit")}
      isDanger={action !== "enable"}
      isPending={change.isPending}
      onConfirm={() => change.mutate({ apikey_id: base.apikey_id, version: base.version })}
      onCancel={onClose}
    >
      <p>{t("text", { id: apikey.apikey_id })}</p>
      {action !== "enable" && <p>{all("spent", { amount: formats.amount(base.spent) })}</p>}
      <ChangeFailure
        error={change.error}
        onReload={async () => {
          await reload();
          change.reset();
        }}
      />
    </ConfirmDialog>
  );
}
