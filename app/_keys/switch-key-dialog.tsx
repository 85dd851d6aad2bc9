"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { whole } from "@/components/breakable-name";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import { useFormats } from "@/components/use-formats";
import type { Key } from "@/server/keys/schema";
import { useKeyChange } from "./use-key-change";

/** The status of a key after an action. One that is enabled may be expired, for example. */
const MADE = { disable: "disabled", revoke: "revoked" } as const;

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
  const shared = useTranslations("keys.switching");
  const formats = useFormats();
  const { base, target, conflict, make, finish } = useKeyChange(apikey, onClose);
  const disable = trpc.keys.disable.useMutation();
  const enable = trpc.keys.enable.useMutation();
  const revoke = trpc.keys.revoke.useMutation();
  return (
    <FormDialog
      isQuestion
      isDanger={action !== "enable"}
      title={t.rich("title", { name: apikey.name, bdi })}
      description={
        <div className="grid gap-3">
          <p>{t.rich("text", { id: apikey.apikey_id, whole })}</p>
          {action !== "enable" && <p>{shared("spent", { amount: formats.amount(base.spent) })}</p>}
        </div>
      }
      width="small"
      action={t("submit")}
      onSubmit={async () => {
        const { version } = await make<Pick<Key, "version">>(
          () => ({ disable, enable, revoke })[action].mutateAsync(target),
          ({ status }) => (action === "enable" ? status !== "disabled" : status === MADE[action]),
        );
        await finish(action, apikey.name, version);
      }}
      Failure={FailureNotice}
      conflict={conflict()}
      onClose={onClose}
    />
  );
}
