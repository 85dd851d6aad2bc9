"use client";

import { useRef } from "react";
import { useTranslations } from "use-intl/react";
import { usePriceTexts } from "@/app/_prices/price-texts";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useMake, wasDeleted } from "@/app/_trpc/use-make";
import { FormDialog } from "@/components/form-dialog";
import { bdi, isolate } from "@/components/isolate";
import { useFormats } from "@/components/use-formats";
import { FROM_EVER, type ModelEntry } from "@/server/prices/schema";
import { usePriceToast } from "./use-price-toast";

/** Says what counts without a price of the account, then deletes it. */
export function DeletePriceDialog({ model, onClose }: { model: ModelEntry; onClose(): void }) {
  const t = useTranslations("models");
  const toast = usePriceToast();
  const deletion = trpc.models.delete.useMutation();
  const make = useMake();
  const openedAt = useRef(performance.now());
  return (
    <FormDialog
      isQuestion
      isDanger
      width="small"
      title={t.rich("deletion.title", { name: model.name, bdi })}
      description={
        <div className="grid gap-3">
          <CountsThen model={model} />
          <p>{t("deletion.history")}</p>
        </div>
      }
      action={t("deletion.action")}
      onSubmit={async () => {
        await make(() => deletion.mutateAsync({ model_id: model.model_id }), wasDeleted);
        const changes = [{ change: "deleted", name: model.name }] as const;
        await toast(t("done.deleted", { name: isolate(model.name) }), {
          action: "models.deleted",
          since: openedAt.current,
          changes,
        });
        onClose();
      }}
      Failure={FailureNotice}
      onClose={onClose}
    />
  );
}

/** Which price of the same name counts when this one is gone. */
function CountsThen({ model }: { model: ModelEntry }) {
  const t = useTranslations("models.deletion");
  const formats = useFormats();
  const texts = usePriceTexts();
  const { data } = trpc.models.list.useQuery({ name: model.name, page_size: 100 }, { staleTime: 0 });
  if (model.state === "upcoming") return <p>{t("upcoming", { day: texts.day(model.valid_from) })}</p>;
  if (model.state === "superseded") return <p>{t("superseded")}</p>;
  if (!data) return null;
  // They are sorted by name, and those of one name with the newest first.
  const others = data.data.filter(({ model_id }) => model_id !== model.model_id);
  const next =
    others.find(({ source, state }) => source === "account" && state === "superseded") ??
    others.find(({ state }) => state === "overridden");
  if (!next) return <p>{t(model.name.includes("*") ? "nonePattern" : "none")}</p>;
  return (
    <p>
      {t(next.source === "account" && next.valid_from === FROM_EVER ? "accountEver" : next.source, {
        day: texts.day(next.valid_from),
        input: formats.amount(next.prices.input),
        output: formats.amount(next.prices.output),
      })}
    </p>
  );
}
