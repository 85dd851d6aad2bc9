"use client";

import { useTranslations } from "use-intl/react";
import { NameField } from "@/app/_names/name-field";
import { useName } from "@/app/_names/use-name";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import type { Key } from "@/server/keys/schema";
import { useKeyChange } from "./use-key-change";

/** Gives a key another name. */
export function RenameKeyDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.renaming");
  const { target, conflict, make, finish } = useKeyChange(apikey, onClose);
  const name = useName(apikey.name);
  const rename = trpc.keys.rename.useMutation();
  return (
    <FormDialog
      title={t.rich("title", { name: apikey.name, bdi })}
      width="small"
      action={t("submit")}
      check={name.check}
      onSubmit={async () => {
        const renamed = await make(
          () => rename.mutateAsync({ ...target, name: name.value }),
          (current) => current.name === name.value.normalize("NFC"),
        );
        await finish("rename", renamed.name, renamed.version, { name: renamed.name });
      }}
      Failure={FailureNotice}
      conflict={conflict((current) => name.reset(current.name))}
      onClose={onClose}
    >
      <NameField label={t("name")} name={name} />
    </FormDialog>
  );
}
