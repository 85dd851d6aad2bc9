"use client";

import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { draftOf, faultsOf, limitsOfDraft, patchOfEdit } from "@/app/_limits/draft";
import { LimitChanges } from "@/app/_limits/limit-changes";
import { LimitFields } from "@/app/_limits/limit-fields";
import { useLimitDraft } from "@/app/_limits/use-limit-draft";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { bdi } from "@/components/isolate";
import { Notice } from "@/components/notice";
import type { Key } from "@/server/keys/schema";
import { ChangeFailure } from "./change-failure";
import { useKeyChange } from "./use-key-change";

/** Edits the six limits of one key. What will change is said before it is saved. */
export function EditLimitsDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.limiting");
  const { base, reload, finish } = useKeyChange(apikey, onClose);
  const limits = useLimitDraft(draftOf(apikey));
  const save = trpc.keys.setLimits.useMutation({ onSuccess: () => finish("limits", apikey.name) });
  const isValid = Object.keys(faultsOf(limits.draft)).length === 0;

  const submit = () => {
    if (!limits.check() || save.isPending) return;
    const { apikey_id, version } = base;
    save.mutate({ apikey_id, version, ...patchOfEdit(limits.draft, base) });
  };
  const takeOver = async () => {
    limits.reset(draftOf(await reload()));
    save.reset();
  };
  return (
    <Dialog
      isOpen
      title={t.rich("title", { name: apikey.name, bdi })}
      onClose={() => !save.isPending && onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button onPress={onClose} isDisabled={save.isPending}>
            {t("cancel")}
          </Button>
          <Button variant="primary" type="submit" isPending={save.isPending}>
            {t("submit")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ChangeFailure error={save.error} onReload={takeOver} />
        {apikey.is_default && limits.draft.expiry_date !== null && (
          <Notice tone="warn" title={t("defaultExpiry")}>
            {t("defaultExpiryText")}
          </Notice>
        )}
        <LimitFields draft={limits.draft} onChange={limits.change} faults={limits.faults} onLeave={limits.leave} />
        {isValid && <LimitChanges before={base} after={limitsOfDraft(limits.draft)} />}
      </div>
    </Dialog>
  );
}
