"use client";

import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { addPasskey, hasPasskeys } from "@/app/_auth/passkey";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import type { SignInMethods } from "@/server/accounts/schema";
import { PasskeyNameDialog } from "./passkey-name-dialog";

type Passkey = SignInMethods["passkeys"][number];

/** The passkeys of the account: each signs in by itself. */
export function PasskeysSection({ passkeys }: { passkeys: Passkey[] }) {
  const t = useTranslations("security.passkeys");
  const formats = useFormats();
  const utils = trpc.useUtils();
  const [isAdding, setAdding] = useState(false);
  const [renamed, rename] = useState<Passkey>();
  const [removed, remove] = useState<Passkey>();
  // Known in the browser alone.
  const [isPossible, setPossible] = useState(true);
  useEffect(() => setPossible(hasPasskeys()), []);
  const refresh = () => utils.accounts.signInMethods.invalidate();
  const renaming = trpc.accounts.renamePasskey.useMutation();
  const removal = trpc.accounts.removePasskey.useMutation({
    onSuccess: async () => {
      await refresh();
      remove(undefined);
    },
  });

  return (
    <Section
      title={t("title")}
      description={isPossible ? t("text") : t("impossible")}
      actions={
        isPossible && (
          <Button size="small" icon="plus" onPress={() => setAdding(true)}>
            {t("add.open")}
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul className="-mb-3 divide-y divide-line border-t border-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <div className="min-w-0 text-sm">
                <p className="font-medium [overflow-wrap:anywhere]">
                  <bdi>{passkey.name}</bdi>
                </p>
                <p className="text-[13px] text-ink-soft">
                  {t("added", { moment: formats.moment(passkey.created_at) })}
                </p>
              </div>
              <div className="flex gap-2">
                <Button size="small" onPress={() => rename(passkey)}>
                  {t("rename.open")}
                  <span className="sr-only">{passkey.name}</span>
                </Button>
                <Button size="small" onPress={() => remove(passkey)}>
                  {t("remove.open")}
                  <span className="sr-only">{passkey.name}</span>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <PasskeyNameDialog
          kind="add"
          initial=""
          onName={async (name) => {
            await addPasskey(name);
            await refresh();
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {renamed && (
        <PasskeyNameDialog
          kind="rename"
          initial={renamed.name}
          onName={async (name) => {
            await renaming.mutateAsync({ passkey_id: renamed.id, name });
            await refresh();
            rename(undefined);
          }}
          onClose={() => rename(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={removed !== undefined}
        title={t.rich("remove.title", { name: removed?.name ?? "", bdi: (text) => <bdi>{text}</bdi> })}
        action={t("remove.action")}
        isPending={removal.isPending}
        onConfirm={() => removed && removal.mutate({ passkey_id: removed.id })}
        onCancel={() => {
          removal.reset();
          remove(undefined);
        }}
      >
        <p>{t("remove.text")}</p>
        <FailureNotice error={removal.error} />
      </ConfirmDialog>
    </Section>
  );
}
