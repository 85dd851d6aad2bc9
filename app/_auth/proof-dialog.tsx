"use client";

import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { Button } from "@/components/button";
import { FormDialog } from "@/components/form-dialog";
import { useAttempt } from "@/components/use-attempt";
import type { SignInMethods } from "@/server/accounts/schema";
import { callAuth } from "./call";
import { CurrentPasswordField } from "./current-password-field";
import { AuthFailureNotice } from "./failure";
import { hasPasskeys, proveByPasskey } from "./passkey";
import { provideQuestion } from "./proof";
import { openSingleSignOn } from "./single-sign-on";

interface Asked {
  methods: SignInMethods;
  answer(isProven: boolean): void;
}

/** Asks the owner to prove who they are when a request wants it. It renders nothing until then. */
export function ProofDialog() {
  const utils = trpc.useUtils();
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    provideQuestion(async () => {
      const methods = await utils.accounts.signInMethods.fetch().catch(() => undefined);
      return methods ? new Promise((answer) => setAsked({ methods, answer })) : false;
    });
    return () => provideQuestion(undefined);
  }, [utils]);
  if (!asked) return null;
  const finish = (isProven: boolean) => {
    asked.answer(isProven);
    setAsked(undefined);
  };
  const dialog = { onProven: () => finish(true), onClose: () => finish(false) };
  if (asked.methods.has_password) return <ByPassword {...dialog} hasPasskey={asked.methods.passkeys.length > 0} />;
  return asked.methods.passkeys.length > 0 ? <ByPasskey {...dialog} /> : <BySingleSignOn onClose={dialog.onClose} />;
}

interface DialogProps {
  onProven(): void;
  onClose(): void;
}

function ByPassword({ hasPasskey, onProven, onClose }: DialogProps & { hasPasskey: boolean }) {
  const t = useTranslations("auth.proof");
  const words = useTranslations("auth");
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const byPasskey = useAttempt(async () => {
    await proveByPasskey();
    onProven();
  });
  return (
    <FormDialog
      title={t("title")}
      description={t("text")}
      width="small"
      action={t("submit")}
      check={() => {
        setChecked(true);
        byPasskey.forget();
        return password !== "";
      }}
      onSubmit={async () => {
        await callAuth("/prove/password", { password });
        onProven();
      }}
      Failure={AuthFailureNotice}
      onClose={onClose}
    >
      {({ isPending, forget }) => (
        <>
          <AuthFailureNotice error={byPasskey.error} />
          <CurrentPasswordField
            label={words("password")}
            value={password}
            onChange={setPassword}
            isChecked={isChecked}
            isFocusedFirst
          />
          {hasPasskey && hasPasskeys() && (
            <div>
              <Button
                icon="key"
                isPending={byPasskey.isPending}
                isDisabled={isPending}
                onPress={() => {
                  forget();
                  return byPasskey.attempt();
                }}
              >
                {t("passkey")}
              </Button>
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}

function ByPasskey({ onProven, onClose }: DialogProps) {
  const t = useTranslations("auth.proof");
  return (
    <FormDialog
      title={t("title")}
      description={t("text")}
      width="small"
      action={t("passkey")}
      onSubmit={async () => {
        await proveByPasskey();
        onProven();
      }}
      Failure={AuthFailureNotice}
      onClose={onClose}
    />
  );
}

/** A new single sign-on leaves the page, so the owner repeats afterwards what they were doing. */
function BySingleSignOn({ onClose }: Pick<DialogProps, "onClose">) {
  const t = useTranslations("auth.proof");
  const components = useTranslations("components");
  return (
    <FormDialog
      title={t("title")}
      description={components("sentences", { first: t("text"), second: t("singleSignOn") })}
      width="small"
      action={t("signInAgain")}
      onSubmit={() => openSingleSignOn(window.location.pathname + window.location.search)}
      Failure={AuthFailureNotice}
      onClose={onClose}
    />
  );
}
