"use client";

import { useTranslations } from "use-intl/react";
import { AuthError } from "@/app/_auth/call";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { NameField } from "@/app/_names/name-field";
import { useName } from "@/app/_names/use-name";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { FormDialog } from "@/components/form-dialog";

/** Asks for the name of a passkey. The browser then creates a new passkey, or an existing one is renamed. */
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
  const name = useName(initial);
  return (
    <FormDialog
      title={t(`${kind}.title`)}
      description={t(`${kind}.text`)}
      width="small"
      action={t(`${kind}.action`)}
      check={name.check}
      onSubmit={() => onName(name.value)}
      Failure={PasskeyFailure}
      onClose={onClose}
    >
      <NameField label={t("name")} name={name} />
    </FormDialog>
  );
}

/** The browser and better-auth refuse a new passkey, tRPC refuses a new name. */
function PasskeyFailure({ error }: { error: unknown }) {
  return error instanceof AuthError ? <AuthFailureNotice error={error} /> : <FailureNotice error={error} />;
}
