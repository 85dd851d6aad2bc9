"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { callAuth } from "@/app/_auth/call";
import { trpc } from "@/app/_trpc/client";
import { Button } from "@/components/button";
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

/** Turns the second factor on and off: the code of an authenticator app. */
export function SecondFactorSection({ isEnabled }: { isEnabled: boolean }) {
  const t = useTranslations("security.secondFactor");
  const utils = trpc.useUtils();
  const toast = useToast();
  const [step, setStep] = useState<Step>();
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
    await callAuth("/two-factor/disable", { password });
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
            <Button size="small" onPress={() => setStep({ kind: "renew" })}>
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
