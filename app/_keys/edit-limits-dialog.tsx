"use client";

import { useTranslations } from "use-intl/react";
import { draftOf, faultsOf, limitsOfDraft, patchOfEdit } from "@/app/_limits/draft";
import { LimitChanges } from "@/app/_limits/limit-changes";
import { LimitFields } from "@/app/_limits/limit-fields";
import { useLimitDraft } from "@/app/_limits/use-limit-draft";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import { Notice } from "@/components/notice";
import type { Key } from "@/server/keys/schema";
import { useKeyChange } from "./use-key-change";

/** Edits the six limits of one key. It says what will change before anything is saved. */
export function EditLimitsDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.limiting");
  const { base, target, conflict, finish } = useKeyChange(apikey, onClose);
  const limits = useLimitDraft(draftOf(apikey));
  const save = trpc.keys.setLimits.useMutation();
  const isValid = Object.keys(faultsOf(limits.draft)).length === 0;
  return (
    <FormDialog
      title={t.rich("title", { name: apikey.name, bdi })}
      action={t("submit")}
      check={limits.check}
      onSubmit={async () => {
        await save.mutateAsync({ ...target, ...patchOfEdit(limits.draft, base) });
        finish("limits", apikey.name);
      }}
      Failure={FailureNotice}
      conflict={conflict((current) => limits.reset(draftOf(current)))}
      onClose={onClose}
    >
      {apikey.is_default && limits.draft.expiry_date !== null && (
        <Notice tone="warn" title={t("defaultExpiry")}>
          {t("defaultExpiryText")}
        </Notice>
      )}
      <LimitFields limits={limits} />
      {isValid && <LimitChanges before={base} after={limitsOfDraft(limits.draft)} />}
    </FormDialog>
  );
}
