"use client";

import { useTranslations } from "use-intl/react";
import { NameField } from "@/app/_names/name-field";
import { useName } from "@/app/_names/use-name";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useMake } from "@/app/_trpc/use-make";
import { FormDialog } from "@/components/form-dialog";
import { isolate } from "@/components/isolate";
import { useToast } from "@/components/toast";
import { useFormats } from "@/components/use-formats";
import type { FilteredList } from "@/server/saved-filters/schema";
import { isSame, type ListQuery } from "./address";

/** Gives the present filter and order of a list a name. */
export function SaveFilterDialog({ list, query, onClose }: { list: FilteredList; query: ListQuery; onClose(): void }) {
  const t = useTranslations("savedFilters");
  const toast = useToast();
  const utils = trpc.useUtils();
  const create = trpc.savedFilters.create.useMutation();
  const make = useMake();
  const formats = useFormats();
  const name = useName("");
  const { from, to } = query;
  /** The filter of this name, if it is this one. */
  const findOwn = async () => {
    const { data } = await utils.client.savedFilters.list.query();
    return data.find((each) => each.name === name.value.normalize("NFC") && isSame(each[list] ?? {}, query));
  };
  return (
    <FormDialog
      title={t("save.title")}
      description={
        <>
          {t("save.text")}
          {typeof from === "string" && typeof to === "string" && (
            <span className="mt-2 block">
              {t(from === to ? "save.day" : "save.days", { from: formats.date(from), to: formats.date(to) })}
            </span>
          )}
        </>
      }
      width="small"
      action={t("save.submit")}
      check={name.check}
      onSubmit={async () => {
        await make(() => create.mutateAsync({ name: name.value, [list]: query }), findOwn);
        await utils.savedFilters.invalidate();
        toast(t("save.done", { name: isolate(name.value) }));
        onClose();
      }}
      Failure={FailureNotice}
      onClose={onClose}
    >
      <NameField label={t("name")} name={name} />
    </FormDialog>
  );
}
