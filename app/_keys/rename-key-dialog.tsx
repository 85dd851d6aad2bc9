"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { type NameFault, nameFault } from "@/app/_names/name-fault";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { bdi } from "@/components/isolate";
import { TextField } from "@/components/text-field";
import type { Key } from "@/server/keys/schema";
import { ChangeFailure } from "./change-failure";
import { useKeyChange } from "./use-key-change";

/** Gives a key another name. */
export function RenameKeyDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.renaming");
  const words = useTranslations("names");
  const { base, reload, finish } = useKeyChange(apikey, onClose);
  const [name, setName] = useState(apikey.name);
  const [fault, setFault] = useState<NameFault>();
  const rename = trpc.keys.rename.useMutation({ onSuccess: (key) => finish("rename", key.name) });

  const submit = () => {
    const wrong = nameFault(name);
    setFault(wrong);
    if (wrong || rename.isPending) return;
    rename.mutate({ apikey_id: base.apikey_id, version: base.version, name });
  };
  const takeOver = async () => {
    setName((await reload()).name);
    rename.reset();
  };
  return (
    <Dialog
      isOpen
      title={t.rich("title", { name: apikey.name, bdi })}
      width="small"
      onClose={() => !rename.isPending && onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button onPress={onClose} isDisabled={rename.isPending}>
            {t("cancel")}
          </Button>
          <Button variant="primary" type="submit" isPending={rename.isPending}>
            {t("submit")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ChangeFailure error={rename.error} onReload={takeOver} />
        <TextField
          label={t("name")}
          value={name}
          onChange={(value) => {
            setName(value);
            if (fault) setFault(nameFault(value));
          }}
          error={fault && words(fault)}
          autoComplete="off"
          isRequired
          isFocusedFirst
        />
      </div>
    </Dialog>
  );
}
