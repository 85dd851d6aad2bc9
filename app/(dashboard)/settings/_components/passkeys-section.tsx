"use client";

import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { addPasskey, hasPasskeys } from "@/app/_auth/passkey";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useMake, wasDeleted } from "@/app/_trpc/use-make";
import { Button } from "@/components/button";
import { WRAPPING } from "@/components/button-style";
import { FormDialog } from "@/components/form-dialog";
import { bdi, isolate } from "@/components/isolate";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";
import { useFormats } from "@/components/use-formats";
import type { SignInMethods } from "@/server/accounts/schema";
import { PasskeyNameDialog } from "./passkey-name-dialog";

type Passkey = SignInMethods["passkeys"][number];

/** The passkeys of the account. A passkey signs in without a password. */
export function PasskeysSection({ passkeys }: { passkeys: Passkey[] }) {
  const t = useTranslations("security.passkeys");
  const formats = useFormats();
  const toast = useToast();
  const utils = trpc.useUtils();
  const [isAdding, setAdding] = useState(false);
  const [renamed, rename] = useState<Passkey>();
  const [removed, remove] = useState<Passkey>();
  // Only the browser knows it, so the server renders the usual case.
  const [isPossible, setPossible] = useState(true);
  useEffect(() => setPossible(hasPasskeys()), []);
  const refresh = () => utils.accounts.signInMethods.invalidate();
  const close = () => {
    setAdding(false);
    rename(undefined);
    remove(undefined);
    // What failed may be done all the same: its answer may be lost.
    void refresh();
  };
  const renaming = trpc.accounts.renamePasskey.useMutation();
  const removal = trpc.accounts.removePasskey.useMutation();
  const make = useMake();
  /** After a lost answer, the browser refuses a second passkey for the account. */
  const isAdded = async (name: string) => {
    const methods = await utils.client.accounts.signInMethods.query();
    return methods.passkeys.some((each) => each.name.normalize("NFC") === name.normalize("NFC")) || undefined;
  };

  return (
    <Section
      title={t("title")}
      description={isPossible ? t("text") : t("impossible")}
      actions={
        isPossible && (
          <Button size="small" icon="plus" onPress={() => setAdding(true)} className={WRAPPING.small}>
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
                <p className="text-[0.8125rem] text-ink-soft">
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
            await make(
              () => addPasskey(name),
              () => isAdded(name),
            );
            await refresh();
            toast(t("add.done", { name: isolate(name) }));
            setAdding(false);
          }}
          onClose={close}
        />
      )}
      {renamed && (
        <PasskeyNameDialog
          kind="rename"
          initial={renamed.name}
          onName={async (name) => {
            await renaming.mutateAsync({ passkey_id: renamed.id, name });
            await refresh();
            toast(t("rename.done", { name: isolate(name) }));
            rename(undefined);
          }}
          onClose={close}
        />
      )}
      {removed && (
        <FormDialog
          isQuestion
          isDanger
          title={t.rich("remove.title", { name: removed.name, bdi })}
          description={t("remove.text")}
          width="small"
          action={t("remove.action")}
          onSubmit={async () => {
            await make(() => removal.mutateAsync({ passkey_id: removed.id }), wasDeleted);
            await refresh();
            toast(t("remove.done", { name: isolate(removed.name) }));
            remove(undefined);
          }}
          Failure={FailureNotice}
          onClose={close}
        />
      )}
    </Section>
  );
}
