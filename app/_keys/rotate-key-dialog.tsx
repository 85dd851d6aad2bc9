"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { whole } from "@/components/breakable-name";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import { Notice } from "@/components/notice";
import { SelectField } from "@/components/select-field";
import { useFormats } from "@/components/use-formats";
import type { Key } from "@/server/keys/schema";
import { ShownOnce } from "./shown-once";
import { useKeyChange } from "./use-key-change";

/** For how long the old value keeps working. */
const GRACES = [
  { seconds: 0, name: "now" },
  { seconds: 15 * 60, name: "minutes15" },
  { seconds: 60 * 60, name: "hour1" },
  { seconds: 24 * 60 * 60, name: "hours24" },
  { seconds: 7 * 24 * 60 * 60, name: "days7" },
] as const;

/** Gives a key a new value, then shows it once. */
export function RotateKeyDialog({ apikey, onClose }: { apikey: Key; onClose(): void }) {
  const t = useTranslations("keys.rotating");
  const formats = useFormats();
  const [grace, setGrace] = useState<number>(GRACES[2].seconds);
  const refresh = useRefresh();
  // The value is shown at once. Whoever waited for the list with it might leave.
  const rotate = trpc.keys.rotate.useMutation({ onSuccess: () => void refresh() });
  // A rotation whose answer was lost has made another version. Without it, the next one would end the value that programs use.
  const { target, conflict } = useKeyChange(apikey, onClose);
  // Lists do not tell whether an earlier value still works.
  const utils = trpc.useUtils();
  const id = { apikey_id: apikey.apikey_id };
  const earlierUntil = trpc.keys.get.useQuery(id).data?.previous_value_until ?? null;

  if (rotate.data) {
    const until = rotate.data.previous_value_until;
    return (
      <ShownOnce
        title={t.rich("rotated", { name: apikey.name, bdi })}
        value={rotate.data.apikey}
        isDefault={apikey.is_default}
        note={until === null ? t("oldEnded") : t("oldUntil", { moment: formats.moment(until, { withZone: true }) })}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t.rich("title", { name: apikey.name, bdi })}
      description={t.rich("text", { id: apikey.apikey_id, whole })}
      action={t("submit")}
      onSubmit={async () => {
        // Who is faster than the warning sees it first.
        const current = earlierUntil === null ? await utils.keys.get.ensureData(id).catch(() => undefined) : undefined;
        if (current && current.previous_value_until !== null) return;
        await rotate.mutateAsync({ ...target, grace_seconds: grace });
      }}
      isAnsweredOnce
      Failure={FailureNotice}
      conflict={conflict()}
      onClose={onClose}
    >
      <SelectField
        label={t("grace")}
        value={String(grace)}
        onChange={(value) => setGrace(Number(value))}
        options={GRACES.map(({ seconds, name }) => ({ value: String(seconds), label: t(`graces.${name}`) }))}
      />
      {earlierUntil !== null && (
        <Notice tone="warn">{t("earlier", { moment: formats.moment(earlierUntil, { withZone: true }) })}</Notice>
      )}
      {grace === 0 && <Notice tone="warn">{apikey.is_default ? t("atOnceDefault") : t("atOnce")}</Notice>}
    </FormDialog>
  );
}
