"use client";

import { useState } from "react";
import { trpc } from "@/app/_trpc/client";
import { EMPTY_IMPORT, type ImportAnswer } from "./import-draft";
import { ImportInput } from "./import-input";
import { ImportPreview } from "./import-preview";

/** Imports prices in two steps: say which, then look at what would change. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const [draft, setDraft] = useState(EMPTY_IMPORT);
  const [fileName, setFileName] = useState<string>();
  const [preview, setPreview] = useState<ImportAnswer>();
  const dryRun = trpc.models.import.useMutation();
  if (preview) {
    return <ImportPreview draft={draft} preview={preview} onBack={() => setPreview(undefined)} onClose={onClose} />;
  }
  return (
    <ImportInput
      draft={draft}
      onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      fileName={fileName}
      onFile={setFileName}
      onPreview={async (input) => setPreview(await dryRun.mutateAsync({ ...input, dry_run: true }))}
      onClose={onClose}
    />
  );
}
