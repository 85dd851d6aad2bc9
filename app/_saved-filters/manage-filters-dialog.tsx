"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { NameField } from "@/app/_names/name-field";
import { useName } from "@/app/_names/use-name";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useMake, wasDeleted } from "@/app/_trpc/use-make";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { FormDialog } from "@/components/form-dialog";
import { bdi, isolate } from "@/components/isolate";
import { useToast } from "@/components/toast";
import type { SavedFilter } from "@/server/saved-filters/schema";

interface Task {
  kind: "rename" | "delete";
  filter: SavedFilter;
}

/** Renames and deletes saved filters. */
export function ManageFiltersDialog({ filters, onClose }: { filters: SavedFilter[]; onClose(): void }) {
  const t = useTranslations("savedFilters");
  const [task, setTask] = useState<Task>();
  const [last, setLast] = useState<Task>();
  const begin = (task: Task) => {
    setTask(task);
    setLast(task);
  };
  const back = () => setTask(undefined);
  if (task?.kind === "rename") return <RenameDialog filter={task.filter} onClose={back} />;
  if (task?.kind === "delete") return <DeleteDialog filter={task.filter} onClose={back} />;
  return (
    <Dialog
      title={t("title")}
      width="small"
      onClose={onClose}
      footer={
        <Button variant="primary" onPress={onClose} isFocusedFirst>
          {t("manage.close")}
        </Button>
      }
    >
      {filters.length === 0 ? (
        <p className="text-sm text-ink-soft">{t("manage.empty")}</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {filters.map((filter) => (
            <li key={filter.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <bdi className="min-w-0 flex-1 basis-32 font-medium [overflow-wrap:anywhere]">{filter.name}</bdi>
              <span className="flex gap-1">
                <Button
                  size="small"
                  variant="ghost"
                  isFocusedFirst={last?.kind === "rename" && last.filter.id === filter.id}
                  onPress={() => begin({ kind: "rename", filter })}
                >
                  {t("manage.rename")}
                  <span className="sr-only"> {filter.name}</span>
                </Button>
                <Button
                  size="small"
                  variant="ghost"
                  isFocusedFirst={last?.kind === "delete" && last.filter.id === filter.id}
                  onPress={() => begin({ kind: "delete", filter })}
                >
                  {t("manage.delete")}
                  <span className="sr-only"> {filter.name}</span>
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function RenameDialog({ filter, onClose }: { filter: SavedFilter; onClose(): void }) {
  const t = useTranslations("savedFilters");
  const toast = useToast();
  const utils = trpc.useUtils();
  const rename = trpc.savedFilters.rename.useMutation();
  const name = useName(filter.name);
  return (
    <FormDialog
      title={t.rich("rename.title", { name: filter.name, bdi })}
      width="small"
      action={t("rename.submit")}
      check={name.check}
      onSubmit={async () => {
        await rename.mutateAsync({ filter_id: filter.id, name: name.value });
        await utils.savedFilters.invalidate();
        toast(t("rename.done", { name: isolate(name.value) }));
        onClose();
      }}
      Failure={FailureNotice}
      onClose={onClose}
    >
      <NameField label={t("name")} name={name} />
    </FormDialog>
  );
}

function DeleteDialog({ filter, onClose }: { filter: SavedFilter; onClose(): void }) {
  const t = useTranslations("savedFilters");
  const toast = useToast();
  const utils = trpc.useUtils();
  const deletion = trpc.savedFilters.delete.useMutation();
  const make = useMake();
  return (
    <FormDialog
      isQuestion
      isDanger
      title={t.rich("delete.title", { name: filter.name, bdi })}
      description={t("delete.text")}
      width="small"
      action={t("delete.submit")}
      onSubmit={async () => {
        await make(() => deletion.mutateAsync({ filter_id: filter.id }), wasDeleted);
        await utils.savedFilters.invalidate();
        toast(t("delete.done", { name: isolate(filter.name) }));
        onClose();
      }}
      Failure={FailureNotice}
      onClose={onClose}
    />
  );
}
