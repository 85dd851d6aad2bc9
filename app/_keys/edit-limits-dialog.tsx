"use client";

import { useTranslations } from "use-intl/react";
import { BlockedKeys } from "@/app/_limits/batch/blocked-keys";
import { changedLimits, differingLimits, draftOf, faultsOf, limitsOfDraft, patchOfEdit } from "@/app/_limits/draft";
import { LimitChanges } from "@/app/_limits/limit-changes";
import { LimitFields } from "@/app/_limits/limit-fields";
import { useBlockedPreview } from "@/app/_limits/use-blocked-preview";
import { useLimitDraft } from "@/app/_limits/use-limit-draft";
import { useWindowHints } from "@/app/_limits/use-window-hints";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import { Notice } from "@/components/notice";
import type { Key } from "@/server/keys/schema";
import { useKeyChange } from "./use-key-change";

/**
 * Edits the six limits of one key, with what is spent and held beside them. Before anything is saved, it says what will
 * change, and warns when that would block the key.
 */
export function EditLimitsDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.limiting");
  const { base, target, conflict, make, finish } = useKeyChange(apikey, onClose);
  const limits = useLimitDraft(draftOf(apikey));
  const hints = useWindowHints(base, limits.draft);
  const save = trpc.keys.setLimits.useMutation();
  const isValid = Object.keys(faultsOf(limits.draft)).length === 0;
  const set = isValid ? changedLimits(limits.draft, base) : {};
  const { preview, ask } = useBlockedPreview(base.apikey_id, set);
  const isBlocking = (preview?.blocked_count ?? 0) > 0;
  return (
    <FormDialog
      title={t.rich("title", { name: apikey.name, bdi })}
      action={isBlocking ? t("submitBlocking") : t("submit")}
      isDanger={isBlocking}
      check={limits.check}
      onSubmit={async () => {
        // Who is faster than the warning sees it first.
        if (!isBlocking && ((await ask())?.blocked_count ?? 0) > 0) return;
        const asked = limitsOfDraft(limits.draft);
        await make<unknown>(
          () => save.mutateAsync({ ...target, ...patchOfEdit(limits.draft, base) }),
          (current) => differingLimits(current, asked).length === 0,
        );
        const isChange = differingLimits(base, asked).length > 0;
        await finish("limits", apikey.name, isChange ? undefined : base.version);
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
      <LimitFields limits={limits} before={base} hints={hints} />
      {isValid && <LimitChanges before={base} after={limitsOfDraft(limits.draft)} />}
      {isValid && preview && <BlockedKeys preview={preview} />}
    </FormDialog>
  );
}
