"use client";

import { useId, useState } from "react";
import { useTranslations } from "use-intl/react";
import { ChangesTable } from "@/app/_prices/changes-table";
import { trpc } from "@/app/_trpc/client";
import { failureOf } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { addDays } from "@/components/day";
import { DayInput } from "@/components/day-input";
import { BOX, Field, fieldIds, TWO_FIELDS } from "@/components/field";
import { FormDialog } from "@/components/form-dialog";
import { bdi, isolate } from "@/components/isolate";
import { Notice } from "@/components/notice";
import { TextField } from "@/components/text-field";
import { useFormats } from "@/components/use-formats";
import type { ModelEntry, PriceChange } from "@/server/prices/schema";
import { beforeOf, draftOf, EMPTY_DRAFT, inputOf, type PriceDraft } from "./price-draft";
import { CurrencyFields, PriceFields } from "./price-fields";
import { useEditedPrice } from "./use-edited-price";
import { useMadeChanges } from "./use-made-changes";
import { type TypedPrice, usePriceDraft } from "./use-price-draft";
import { usePriceToast } from "./use-price-toast";

type Props =
  | { kind: "add"; model?: undefined; onClose(): void }
  | {
      /** See `ModelTask`. */
      kind: "edit" | "plan" | "override";
      model: ModelEntry;
      onClose(): void;
    };

/** Sets a price of the account: a new one, or one in place of another. */
export function PriceDialog({ kind, model, onClose }: Props) {
  const t = useTranslations("models");
  const toast = usePriceToast();
  const today = useFormats().today();
  const set = trpc.models.set.useMutation();
  const make = useMadeChanges();
  const price = usePriceDraft(initialDraft(kind, model, today));
  // A price of this name and day is there already, and would be replaced.
  const [replaced, setReplaced] = useState<{ by: PriceDraft; change: PriceChange }>();
  const { draft } = price;
  const edited = useEditedPrice(kind === "edit" ? model : undefined, price.change);
  // Whatever is typed after that is compared again.
  const isConfirmed = replaced?.by === draft;

  /** Whether the price would replace another one, which the dialog shows then. */
  const compare = async () => {
    const [found] = (await set.mutateAsync({ models: [inputOf(draft)], dry_run: true })).changes;
    const isReplacing = found?.change === "changed";
    setReplaced(isReplacing ? { by: draft, change: found } : undefined);
    return isReplacing;
  };
  const save = async () => {
    if (kind !== "edit" && !isConfirmed && (await compare())) return;
    const before = edited.base ?? (isConfirmed ? replaced.change.before : null);
    const name = draft.name.trim();
    const models = [{ ...inputOf(draft), before: before && beforeOf(before) }];
    const planned = { changes: [{ change: before ? "changed" : "created", name } as const] };
    const made = await make(() => set.mutateAsync({ models }), planned);
    const { changes } = made.done;
    const done = changes[0]?.change === "created" ? "created" : changes[0]?.change === "changed" ? "changed" : "same";
    await toast(t(`done.${done}`, { name: isolate(name) }), { action: "models.set", since: made.since, changes });
    onClose();
  };
  return (
    <FormDialog
      title={t.rich(`form.title.${kind}`, { name: model?.name ?? "", bdi })}
      {...(kind !== "add" && { description: t(`form.text.${kind}`) })}
      width="large"
      action={isConfirmed ? t("form.replace") : t(kind === "edit" ? "form.save" : "form.add")}
      check={price.check}
      onSubmit={save}
      Failure={FailureNotice}
      conflict={{ isConflict: isChangedMeanwhile, reload: kind === "edit" ? edited.reload : compare }}
      onClose={onClose}
    >
      {isConfirmed && (
        <Notice tone="warn" title={t("form.replaces")}>
          {t("form.replacesText")}
        </Notice>
      )}
      {isConfirmed && <ChangesTable label={t("form.replaces")} changes={[replaced.change]} />}
      <div className={TWO_FIELDS}>
        <TextField
          label={t("form.name")}
          hint={t("form.nameHint")}
          value={draft.name}
          onChange={(name) => price.change({ name })}
          onBlur={() => price.leave("name")}
          error={price.errorOf("name")}
          autoComplete="off"
          isRequired
          isDisabled={kind !== "add"}
        />
        <TextField
          label={t("form.aliases")}
          hint={t("form.aliasesHint")}
          value={draft.aliases}
          onChange={(aliases) => price.change({ aliases })}
          onBlur={() => price.leave("aliases")}
          error={price.errorOf("aliases")}
          autoComplete="off"
        />
      </div>
      <CurrencyFields price={price} />
      <PriceFields price={price} />
      <div className={TWO_FIELDS}>
        <TextField
          label={t("form.maxOutput")}
          hint={t("form.maxOutputHint")}
          value={draft.max_output_tokens}
          onChange={(max_output_tokens) => price.change({ max_output_tokens })}
          onBlur={() => price.leave("max_output_tokens")}
          error={price.errorOf("max_output_tokens")}
          autoComplete="off"
          inputMode="numeric"
        />
        <ValidFromField price={price} isDisabled={kind === "edit"} />
      </div>
    </FormDialog>
  );
}

/** Whether somebody else has changed the price meanwhile. */
function isChangedMeanwhile(error: unknown): boolean {
  const failure = failureOf(error);
  return failure.kind === "refused" && failure.code === "price_changed_meanwhile";
}

function initialDraft(kind: Props["kind"], model: ModelEntry | undefined, today: string): PriceDraft {
  if (!model) return EMPTY_DRAFT;
  const draft = draftOf(model);
  if (kind === "edit") return draft;
  return { ...draft, valid_from: kind === "plan" ? addDays(today, 1) : "" };
}

function ValidFromField({
  price: { draft, change, leave, errorOf },
  isDisabled,
}: {
  price: TypedPrice;
  isDisabled: boolean;
}) {
  const t = useTranslations("models.form");
  const error = errorOf("valid_from");
  const hint = t("validFromHint");
  const id = useId();
  return (
    <Field id={id} label={t("validFrom")} hint={hint} error={error} isErrorReserved>
      <DayInput
        {...fieldIds(id, { hint, error })}
        value={draft.valid_from}
        disabled={isDisabled}
        onChange={(valid_from) => change({ valid_from })}
        onBlur={() => leave("valid_from")}
        className={BOX}
      />
    </Field>
  );
}
