"use client";

import { useState } from "react";
import { encode } from "uqr";
import { useTranslations } from "use-intl/react";
import { AuthError, callAuth } from "@/app/_auth/call";
import { CodeField } from "@/app/_auth/code-field";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { trpc } from "@/app/_trpc/client";
import { useMake } from "@/app/_trpc/use-make";
import { CopyField } from "@/components/copy-field";
import { FormDialog } from "@/components/form-dialog";

/** Shows the secret for an authenticator app. The second factor is on after the app's code was entered. */
export function ProveAppDialog({
  totpUri,
  onProven,
  onClose,
}: {
  /** `otpauth://totp/…`, which authenticator apps read. */
  totpUri: string;
  onProven(): unknown;
  onClose(): void;
}) {
  const t = useTranslations("security.secondFactor.prove");
  const [code, setCode] = useState("");
  const [isChecked, setChecked] = useState(false);
  const utils = trpc.useUtils();
  const make = useMake();
  /** A code is good once, so that the same one is refused after a lost answer. */
  const isOn = async () => (await utils.client.accounts.signInMethods.query()).two_factor_enabled || undefined;
  return (
    <FormDialog
      title={t("title")}
      description={t("text")}
      width="small"
      action={t("submit")}
      check={() => {
        setChecked(true);
        return code.trim() !== "";
      }}
      onSubmit={async () => {
        await make(() => verify(code.replace(/\s/g, "")), isOn);
        await onProven();
      }}
      isAnsweredOnce
      Failure={AuthFailureNotice}
      onClose={onClose}
    >
      {({ error }) => (
        <>
          <QrCode text={totpUri} label={t("picture")} />
          <CopyField label={t("secret")} text={new URL(totpUri).searchParams.get("secret") ?? ""} />
          <CodeField
            label={t("code")}
            inputMode="numeric"
            value={code}
            onChange={setCode}
            error={isChecked && !code.trim() ? t("noCode") : undefined}
            refusal={error}
            isFocusedFirst
          />
        </>
      )}
    </FormDialog>
  );
}

/** Without a session, the server takes it for a sign-in that waits for its code, and finds none. */
async function verify(code: string): Promise<unknown> {
  try {
    return await callAuth("/two-factor/verify-totp", { code });
  } catch (error) {
    const isSignedOut = error instanceof AuthError && error.code === "INVALID_TWO_FACTOR_COOKIE";
    throw isSignedOut ? new AuthError("SIGNED_OUT") : error;
  }
}

/** Black on white in every theme, because apps cannot read another QR code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="mx-auto aspect-square w-full max-w-52 rounded-lg bg-white"
    >
      <path d={dots.join("")} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}
