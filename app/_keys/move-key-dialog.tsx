"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { bdi } from "@/components/isolate";
import type { Key } from "@/server/keys/schema";
import { ChangeFailure } from "./change-failure";
import { GroupField } from "./group-field";
import { useKeyChange } from "./use-key-change";

/** Moves a key to another group, or to none. Its limits stay. */
export function MoveKeyDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.moving");
  const { base, reload, finish } = useKeyChange(apikey, onClose);
  const [group, setGroup] = useState(apikey.group_id ?? "");
  const move = trpc.keys.move.useMutation({ onSuccess: () => finish("move", apikey.name) });

  const submit = () => {
    if (move.isPending) return;
    move.mutate({ apikey_id: base.apikey_id, version: base.version, group_id: group === "" ? null : group });
  };
  const takeOver = async () => {
    setGroup((await reload()).group_id ?? "");
    move.reset();
  };
  return (
    <Dialog
      isOpen
      title={t.rich("title", { name: apikey.name, bdi })}
      description={t("text")}
      width="small"
      onClose={() => !move.isPending && onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button onPress={onClose} isDisabled={move.isPending}>
            {t("cancel")}
          </Button>
          <Button variant="primary" type="submit" isPending={move.isPending}>
            {t("submit")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ChangeFailure error={move.error} onReload={takeOver} />
        <GroupField value={group} onChange={setGroup} />
      </div>
    </Dialog>
  );
}
