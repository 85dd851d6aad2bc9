"use client";

import { useState } from "react";
import { encode } from "uqr";
import { useTranslations } from "use-intl/react";
import { callAuth } from "@/app/_auth/call";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { useAttempt } from "@/components/use-attempt";
import { Button } from "@/components/button";
import { CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { TextField } from "@/components/text-field";

/** Gives the secret to an authenticator app, and asks for a code of it: only then is the second factor asked for. */
export function ProveAppDialog({
  totpUri,
  onProven,
  onClose,
}: {
  /** `otpauth://totp/…`, as apps read it. */
  totpUri: string;
  onProven(): unknown;
  onClose(): void;
}) {
  const t = useTranslations("security.secondFactor.prove");
  const words = useTranslations("components.dialog");
  const [code, setCode] = useState("");
  const [isChecked, setChecked] = useState(false);
  const { attempt, error, isPending } = useAttempt(async () => {
    await callAuth("/two-factor/verify-totp", { code: code.replace(/\s/g, "") });
    await onProven();
  });
  return (
    <Dialog
      isOpen
      width="small"
      title={t("title")}
      description={t("text")}
      onClose={() => !isPending && onClose()}
      onSubmit={() => {
        setChecked(true);
        if (code.trim()) attempt();
      }}
      footer={
        <>
          <Button onPress={onClose} isDisabled={isPending}>
            {words("cancel")}
          </Button>
          <Button variant="primary" type="submit" isPending={isPending}>
            {t("submit")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <AuthFailureNotice error={error} />
        <QrCode text={totpUri} label={t("picture")} />
        <CopyField label={t("secret")} text={new URL(totpUri).searchParams.get("secret") ?? ""} />
        <TextField
          label={t("code")}
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          onChange={setCode}
          error={isChecked && !code.trim() ? t("noCode") : undefined}
          isRequired
          isFocusedFirst
        />
      </div>
    </Dialog>
  );
}

/** Black on white whatever the theme: apps read nothing else. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="mx-auto size-52 rounded-lg bg-white">
      <path d={dots.join("")} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}
