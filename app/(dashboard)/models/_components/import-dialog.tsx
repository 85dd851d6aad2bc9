"use client";

import { useState } from "react";
import { trpc } from "@/app/_trpc/client";
import { EMPTY_IMPORT, type ImportAnswer, type importOf } from "./import-draft";
import { ImportInput } from "./import-input";
import { ImportPreview } from "./import-preview";

/** Imports prices in two steps: say which, then look at what would change. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const [draft, setDraft] = useState(EMPTY_IMPORT);
  const [fileName, setFileName] = useState<string>();
  // What was previewed is applied. The draft may have changed while the preview was on the way.
  const [previewed, setPreviewed] = useState<{ input: ReturnType<typeof importOf>; preview: ImportAnswer }>();
  const dryRun = trpc.models.import.useMutation();
  if (previewed) return <ImportPreview {...previewed} onBack={() => setPreviewed(undefined)} onClose={onClose} />;
  return (
    <ImportInput
      draft={draft}
      onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      fileName={fileName}
      onFile={setFileName}
      onPreview={async (input) =>
        setPreviewed({ input, preview: await dryRun.mutateAsync({ ...input, dry_run: true }) })
      }
      onClose={onClose}
    />
  );
}
