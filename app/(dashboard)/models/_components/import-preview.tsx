"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { ChangesTable } from "@/app/_prices/changes-table";
import { trpc } from "@/app/_trpc/client";
import { isUnanswered } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { ChoiceField } from "@/components/choice-field";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { StepHeading } from "@/components/step-heading";
import { useAttempt } from "@/components/use-attempt";
import type { PriceChange, SkipCode } from "@/server/prices/schema";
import type { ImportAnswer, importOf } from "./import-draft";
import { useMadeChanges } from "./use-made-changes";
import { usePriceToast } from "./use-price-toast";

/** How many changes of one kind are shown. */
const SHOWN = 100;

/** What of an import can be shown, first what the reader should look at. */
const KINDS = ["changed", "created", "deleted", "unchanged", "skipped"] as const;

type Kind = (typeof KINDS)[number];

/** The second step of an import: what it would change. Only then it is applied. */
export function ImportPreview({
  input,
  preview,
  onBack,
  onClose,
}: {
  input: ReturnType<typeof importOf>;
  /** The answer to a dry run of the input. */
  preview: ImportAnswer;
  onBack(): void;
  onClose(): void;
}) {
  const t = useTranslations("models");
  const toast = usePriceToast();
  const apply = trpc.models.import.useMutation();
  const make = useMadeChanges();
  const counts: Record<Kind, number> = {
    changed: preview.changed_count,
    created: preview.created_count,
    deleted: preview.deleted_count,
    unchanged: preview.unchanged_count,
    skipped: preview.skipped_count,
  };
  const kinds = KINDS.filter((each) => counts[each] > 0);
  const [kind, setKind] = useState<Kind>(kinds[0] ?? "unchanged");
  const changing = counts.changed + counts.created + counts.deleted;
  const { attempt, error, isPending } = useAttempt(async () => {
    const { done, since } = await make(() => apply.mutateAsync(input), preview);
    await toast(
      t("import.done", { created: done.created_count, changed: done.changed_count, deleted: done.deleted_count }),
      { action: "models.imported", since, changes: done.changes },
    );
    onClose();
  });
  return (
    <Dialog
      title={t("import.title")}
      width="large"
      onClose={onClose}
      isClosable={!isPending}
      footer={
        <>
          <Button onPress={onBack} isDisabled={isPending}>
            {t("import.back")}
          </Button>
          <Button
            variant={counts.deleted > 0 ? "danger" : "primary"}
            onPress={attempt}
            isPending={isPending}
            isDisabled={changing === 0}
          >
            {t("import.apply", { count: changing })}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <StepHeading>{t(`import.${isUnanswered(error) ? "unanswered" : "summary"}`, { count: changing })}</StepHeading>
        <FailureNotice error={error} />
        {counts.deleted > 0 && <Notice tone="warn">{t("import.deletes", { count: counts.deleted })}</Notice>}
        {kinds.length > 0 && (
          <ChoiceField<Kind>
            label={t("import.show")}
            value={kind}
            onChange={setKind}
            choices={kinds.map((value) => ({ value, label: t(`import.kinds.${value}`, { count: counts[value] }) }))}
          />
        )}
        {kind === "skipped" ? (
          <Skipped skipped={preview.skipped} />
        ) : (
          <Changes changes={preview.changes.filter(({ change }) => change === kind)} />
        )}
      </div>
    </Dialog>
  );
}

function Changes({ changes }: { changes: PriceChange[] }) {
  const t = useTranslations("models.import");
  if (changes.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-2">
      <ChangesTable label={t("table")} changes={changes.slice(0, SHOWN)} />
      {changes.length > SHOWN && (
        <p className="text-[0.8125rem] text-ink-soft">{t("more", { count: changes.length - SHOWN })}</p>
      )}
    </div>
  );
}

/** What of the file is left out, by reason. */
function Skipped({ skipped }: { skipped: ImportAnswer["skipped"] }) {
  const t = useTranslations("models.import");
  const byReason = new Map<SkipCode, string[]>();
  for (const { name, code } of skipped) {
    const names = byReason.get(code);
    if (names) names.push(name);
    else byReason.set(code, [name]);
  }
  return (
    <ul aria-label={t("leftOut")} className="divide-y divide-line border-y border-line text-sm">
      {[...byReason].map(([code, names]) => (
        <li key={code} className="grid gap-1 py-3">
          <p className="font-medium">{t("reason", { reason: t(`reasons.${code}`), count: names.length })}</p>
          <p className="font-mono text-xs leading-relaxed text-ink-soft [overflow-wrap:anywhere]">
            {names.slice(0, SHOWN).join(", ")}
          </p>
          {names.length > SHOWN && (
            <p className="text-[0.8125rem] text-ink-soft">{t("more", { count: names.length - SHOWN })}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
