"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { AuthError, callAuth } from "@/app/_auth/call";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { openPage } from "@/app/_auth/open-page";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useMake, wasDeleted } from "@/app/_trpc/use-make";
import { Button } from "@/components/button";
import { FormDialog } from "@/components/form-dialog";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";
import { useAttempt } from "@/components/use-attempt";
import { useFormats } from "@/components/use-formats";
import type { SignInMethods } from "@/server/accounts/schema";

/** Links the account to an identity at the provider of single sign-on, which signs in from then on, and unlinks it. */
export function SingleSignOnSection({
  linked,
  name,
  providerError,
}: {
  linked: SignInMethods["single_sign_on"];
  /** The name of the provider; `null` where single sign-on is not offered any more. */
  name: string | null;
  /** The error with which the provider sent the browser back. */
  providerError: string | undefined;
}) {
  const t = useTranslations("security.singleSignOn");
  const formats = useFormats();
  const toast = useToast();
  const utils = trpc.useUtils();
  const [isUnlinking, setUnlinking] = useState(false);
  const unlinking = trpc.accounts.unlinkSingleSignOn.useMutation();
  const make = useMake();
  const { attempt, error, hasBegun, isPending } = useAttempt(async () => {
    const body = { provider: "oidc", callbackURL: "/settings", errorCallbackURL: "/settings", disableRedirect: true };
    await openPage((await callAuth<{ url: string }>("/link-social", body)).url);
  });
  const shown = name ?? t("provider");
  const refused = providerError && !hasBegun && new AuthError(providerError.toUpperCase());
  return (
    <Section
      title={t("title")}
      description={
        linked ? t("linked", { name: shown, moment: formats.moment(linked.linked_at) }) : t("text", { name: shown })
      }
      actions={
        linked ? (
          <Button size="small" onPress={() => setUnlinking(true)}>
            {t("unlink.open")}
          </Button>
        ) : (
          <Button size="small" icon="external" isPending={isPending} onPress={attempt}>
            {t("link")}
          </Button>
        )
      }
    >
      <AuthFailureNotice error={error ?? refused} otherwise={error ? undefined : t("refused")} />
      {isUnlinking && (
        <FormDialog
          isQuestion
          isDanger
          title={t("unlink.title")}
          description={t("unlink.text", { name: shown })}
          width="small"
          action={t("unlink.action")}
          onSubmit={async () => {
            await make(unlinking.mutateAsync, wasDeleted);
            await utils.accounts.signInMethods.invalidate();
            toast(t("unlink.done", { name: shown }));
            setUnlinking(false);
          }}
          Failure={FailureNotice}
          onClose={() => setUnlinking(false)}
        />
      )}
    </Section>
  );
}
