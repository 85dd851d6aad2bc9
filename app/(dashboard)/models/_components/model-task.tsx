"use client";

import dynamic from "next/dynamic";
import type { ModelEntry } from "@/server/prices/schema";

/** An action on a price, or one that makes prices. */
export type ModelTask =
  | { kind: "add" | "import" }
  | {
      /** `override` makes a price of the account for a model of the operator, and `plan` one that begins later. */
      kind: "edit" | "plan" | "override" | "delete";
      model: ModelEntry;
    };

// Most who open the page look something up.
// Without `ssr: false`, the whole page is hidden until a dialog is loaded.
const PriceDialog = dynamic(() => import("./price-dialog").then((module) => module.PriceDialog), { ssr: false });
const DeletePriceDialog = dynamic(() => import("./delete-price-dialog").then((module) => module.DeletePriceDialog), {
  ssr: false,
});
const ImportDialog = dynamic(() => import("./import-dialog").then((module) => module.ImportDialog), { ssr: false });

/** The dialog of the chosen action. */
export function ModelTaskDialog({ task, onClose }: { task: ModelTask | undefined; onClose(): void }) {
  if (task === undefined) return null;
  switch (task.kind) {
    case "import":
      return <ImportDialog onClose={onClose} />;
    case "delete":
      return <DeletePriceDialog model={task.model} onClose={onClose} />;
    case "add":
      return <PriceDialog kind="add" onClose={onClose} />;
    default:
      return <PriceDialog kind={task.kind} model={task.model} onClose={onClose} />;
  }
}
