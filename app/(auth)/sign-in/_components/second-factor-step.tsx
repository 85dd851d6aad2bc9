"use client";

import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { callAuth } from "@/app/_auth/call";
import { CodeField } from "@/app/_auth/code-field";
import { AuthFailureNotice } from "@/app/_auth/failure";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { useAttempt } from "@/components/use-attempt";

const KINDS = {
  app: { path: "/two-factor/verify-totp", other: "backup" },
  backup: { path: "/two-factor/verify-backup-code", other: "app" },
} as const;

/** The second step: the code of the authenticator app, or one of the backup codes. */
export function SecondFactorStep({ onBack, onDone }: { onBack(): void; onDone(): Promise<void> }) {
  const t = useTranslations("auth.secondFactor");
  const [kind, setKind] = useState<keyof typeof KINDS>("app");
  const [code, setCode] = useState("");
  const [isChecked, setChecked] = useState(false);
  const { attempt, error, isPending, forget } = useAttempt(async () => {
    await callAuth(KINDS[kind].path, { code: code.replace(/\s/g, "") });
    await onDone();
  });
  const form = useRef<HTMLFormElement>(null);
  // The button that had the focus is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each kind has a field of its own
  useEffect(() => form.current?.querySelector("input")?.focus(), [kind]);
  const change = () => {
    setKind(KINDS[kind].other);
    setCode("");
    setChecked(false);
    forget();
  };
  return (
    <Form
      ref={form}
      className="grid gap-5"
      onSubmit={() => {
        setChecked(true);
        if (code.trim()) attempt();
      }}
    >
      <AuthFailureNotice error={error} />
      <CodeField
        key={kind}
        label={t(`${kind}.code`)}
        hint={t(`${kind}.hint`)}
        inputMode={kind === "app" ? "numeric" : "text"}
        value={code}
        onChange={setCode}
        error={isChecked && !code.trim() ? t("noCode") : undefined}
        refusal={error}
      />
      <Button variant="primary" type="submit" isPending={isPending} className="w-full">
        {t("submit")}
      </Button>
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="ghost" size="small" onPress={onBack}>
          {t("back")}
        </Button>
        <Button variant="ghost" size="small" onPress={change}>
          {t(`${kind}.other`)}
        </Button>
      </div>
    </Form>
  );
}
