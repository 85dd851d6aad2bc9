"use client";

import { useTranslations } from "use-intl/react";
import { useTypedSetting } from "@/app/_account/use-typed-setting";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { TextField } from "@/components/text-field";
import { gatewayUrl } from "@/server/accounts/schema";

/**
 * Saves the address of the gateway at which keys are used.
 * @param saved the address that is known; `null` when there is none.
 * @param canForget whether an empty field forgets the address.
 */
export function GatewayForm({
  saved,
  canForget = false,
  onSaved,
}: {
  saved: string | null;
  canForget?: boolean;
  /** Called with the address that holds now. */
  onSaved?(url: string | null): void;
}) {
  const t = useTranslations("firstRun.gateway");
  const utils = trpc.useUtils();
  const { typed, type, hasFault, submit, isPending, error } = useTypedSetting(saved ?? "", {
    settingsOf: (text) => {
      if (canForget && text.trim() === "") return { gateway_url: null };
      const { data } = gatewayUrl.safeParse(text);
      return data === undefined ? undefined : { gateway_url: data };
    },
    textOf: (account) => account.gateway_url ?? "",
    onSaved: ({ gateway_url }) => {
      onSaved?.(gateway_url);
      return utils.accounts.invalidate();
    },
  });
  return (
    <Form className="grid gap-3" onSubmit={submit}>
      <FailureNotice error={error} onRetry={submit} />
      <TextField
        label={t("address")}
        hint={t("hint")}
        error={hasFault ? t("wrong") : undefined}
        type="url"
        placeholder="https://gateway.example.com/v1"
        autoComplete="off"
        value={typed}
        onChange={type}
      />
      <Button type="submit" isPending={isPending} isDisabled={typed === (saved ?? "")} className="justify-self-start">
        {t("save")}
      </Button>
    </Form>
  );
}
