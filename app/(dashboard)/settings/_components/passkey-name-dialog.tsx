"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { AuthError } from "@/app/_auth/call";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { useAttempt } from "@/components/use-attempt";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { type NameFault, nameFault } from "@/app/_names/name-fault";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { TextField } from "@/components/text-field";

/** Asks for the name of a passkey: of a new one, which the browser then makes, or another one for it. */
export function PasskeyNameDialog({
  kind,
  initial,
  onName,
  onClose,
}: {
  kind: "add" | "rename";
  initial: string;
  onName(name: string): Promise<void>;
  onClose(): void;
}) {
  const t = useTranslations("security.passkeys");
  const names = useTranslations("names");
  const words = useTranslations("components.dialog");
  const [name, setName] = useState(initial);
  const [fault, setFault] = useState<NameFault>();
  const { attempt, error, isPending } = useAttempt(() => onName(name));
  return (
    <Dialog
      isOpen
      width="small"
      title={t(`${kind}.title`)}
      description={t(`${kind}.text`)}
      onClose={() => !isPending && onClose()}
      onSubmit={() => {
        const wrong = nameFault(name);
        setFault(wrong);
        if (!wrong) attempt();
      }}
      footer={
        <>
          <Button onPress={onClose} isDisabled={isPending}>
            {words("cancel")}
          </Button>
          <Button variant="primary" type="submit" isPending={isPending}>
            {t(`${kind}.action`)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {error instanceof AuthError ? <AuthFailureNotice error={error} /> : <FailureNotice error={error} />}
        <TextField
          label={t("name")}
          value={name}
          onChange={(value) => {
            setName(value);
            if (fault) setFault(nameFault(value));
          }}
          error={fault && names(fault)}
          autoComplete="off"
          isRequired
          isFocusedFirst
        />
      </div>
    </Dialog>
  );
}
