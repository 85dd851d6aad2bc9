"use client";

import { useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
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
  const [typed, setTyped] = useState(saved ?? "");
  const sent = useRef(typed);
  const [hasFault, setFault] = useState(false);
  const save = trpc.accounts.updateSettings.useMutation({
    onSuccess: async ({ gateway_url }) => {
      // What was typed while it was saved stays.
      setTyped((present) => (present === sent.current ? (gateway_url ?? "") : present));
      onSaved?.(gateway_url);
      await utils.accounts.invalidate();
    },
  });

  const submit = () => {
    const isForgotten = canForget && typed.trim() === "";
    const address = gatewayUrl.safeParse(typed);
    setFault(!isForgotten && !address.success);
    if (save.isPending) return;
    sent.current = typed;
    if (isForgotten) save.mutate({ gateway_url: null });
    else if (address.success) save.mutate({ gateway_url: address.data });
  };
  return (
    <Form className="grid gap-3" onSubmit={submit}>
      <FailureNotice error={save.error} onRetry={submit} />
      <TextField
        label={t("address")}
        hint={t("hint")}
        error={hasFault ? t("wrong") : undefined}
        type="url"
        placeholder="https://gateway.example.com/v1"
        autoComplete="off"
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setFault(false);
        }}
      />
      <Button
        type="submit"
        isPending={save.isPending}
        isDisabled={typed === (saved ?? "")}
        className="justify-self-start"
      >
        {t("save")}
      </Button>
    </Form>
  );
}
