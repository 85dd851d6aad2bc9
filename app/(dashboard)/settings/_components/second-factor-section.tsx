"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { AuthError, callAuth } from "@/app/_auth/call";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { trpc } from "@/app/_trpc/client";
import { isUnanswered } from "@/app/_trpc/failure";
import { useMake } from "@/app/_trpc/use-make";
import { Button } from "@/components/button";
import { WRAPPING } from "@/components/button-style";
import { Notice } from "@/components/notice";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";
import { BackupCodesDialog } from "./backup-codes-dialog";
import { PasswordDialog } from "./password-dialog";
import { ProveAppDialog } from "./prove-app-dialog";

/** What the password is asked for, or what the server answered. */
type Step =
  | { kind: "enable" | "disable" | "renew" }
  | { kind: "prove"; totpUri: string; backupCodes: string[] }
  | { kind: "codes"; backupCodes: string[] };

async function isOff(refusal: unknown): Promise<true | undefined> {
  return (refusal instanceof AuthError && refusal.code === "TWO_FACTOR_NOT_ENABLED") || undefined;
}

/** Turns the second factor on and off: the code of an authenticator app. */
export function SecondFactorSection({ isEnabled }: { isEnabled: boolean }) {
  const t = useTranslations("security.secondFactor");
  const utils = trpc.useUtils();
  const toast = useToast();
  const [step, setStep] = useState<Step>();
  const make = useMake();
  const refresh = () => Promise.all([utils.accounts.signInMethods.invalidate(), utils.accounts.sessions.invalidate()]);
  const close = () => {
    setStep(undefined);
    // What failed may be done all the same: its answer may be lost.
    void refresh();
  };

  const enable = async (password: string) => {
    const body = { password, method: "totp" };
    const answer = await callAuth<{ totpURI: string; backupCodes: string[] }>("/two-factor/enable", body);
    setStep({ kind: "prove", totpUri: answer.totpURI, backupCodes: answer.backupCodes });
  };
  const disable = async (password: string) => {
    await make(() => callAuth("/two-factor/disable", { password }), isOff);
    toast(t("disable.done"));
    close();
  };
  const renew = async (password: string) => {
    const { backupCodes } = await callAuth<{ backupCodes: string[] }>("/two-factor/generate-backup-codes", {
      password,
    });
    setStep({ kind: "codes", backupCodes });
  };
  const ask = (kind: "enable" | "disable" | "renew", onPassword: (password: string) => Promise<void>) =>
    step?.kind === kind && (
      <PasswordDialog
        title={t(`${kind}.title`)}
        description={t(`${kind}.text`)}
        action={t(`${kind}.action`)}
        isDanger={kind === "disable"}
        isAnsweredOnce={kind === "renew"}
        Failure={kind === "renew" ? RenewalFailure : AuthFailureNotice}
        onPassword={onPassword}
        onClose={close}
      />
    );

  return (
    <Section
      title={t("title")}
      description={t(isEnabled ? "on" : "off")}
      actions={
        isEnabled ? (
          <>
            <Button size="small" onPress={() => setStep({ kind: "renew" })} className={WRAPPING.small}>
              {t("renew.open")}
            </Button>
            <Button size="small" onPress={() => setStep({ kind: "disable" })}>
              {t("disable.open")}
            </Button>
          </>
        ) : (
          <Button size="small" onPress={() => setStep({ kind: "enable" })}>
            {t("enable.open")}
          </Button>
        )
      }
    >
      {ask("enable", enable)}
      {ask("disable", disable)}
      {ask("renew", renew)}
      {step?.kind === "prove" && (
        <ProveAppDialog
          totpUri={step.totpUri}
          onProven={() => {
            setStep({ kind: "codes", backupCodes: step.backupCodes });
            return refresh();
          }}
          onClose={close}
        />
      )}
      {step?.kind === "codes" && <BackupCodesDialog codes={step.backupCodes} onClose={close} />}
    </Section>
  );
}

/** Why no new backup codes came. When no answer came, they may have been made, and the earlier ones are good no more. */
function RenewalFailure({ error }: { error: unknown }) {
  const t = useTranslations("security.secondFactor.renew");
  return (
    <>
      <AuthFailureNotice error={error} />
      {isUnanswered(error) && <Notice tone="warn">{t("unanswered")}</Notice>}
    </>
  );
}
