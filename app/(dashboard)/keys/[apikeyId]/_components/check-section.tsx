"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { amountOf, faultOf } from "@/app/_limits/draft";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { Section } from "@/components/section";
import { TextField } from "@/components/text-field";
import type { Key } from "@/server/keys/schema";
import { CheckAnswer } from "./check-answer";

const FIELDS = ["amount", "input_price", "output_price"] as const;

type Field = (typeof FIELDS)[number];

/** Checks whether a call would pass now, without an authorization. */
export function CheckSection({ apikey }: { apikey: Key }) {
  const t = useTranslations("keys.check");
  const [typed, setTyped] = useState<Record<Field, string>>({ amount: "", input_price: "", output_price: "" });
  const [isSubmitted, setSubmitted] = useState(false);
  const check = trpc.authorizations.check.useMutation();

  const faultIn = (field: Field) => {
    const text = typed[field];
    // The amount is required, a price is not.
    if (text.trim() === "" && field !== "amount") return undefined;
    // An amount has the same bounds as a limit.
    const fault = faultOf("budget", text);
    return fault === undefined || fault === "notDate" ? undefined : t(`faults.${fault}`);
  };
  const submit = () => {
    setSubmitted(true);
    const amount = amountOf(typed.amount);
    if (amount === undefined || FIELDS.some((field) => faultIn(field) !== undefined)) return;
    const input_price = amountOf(typed.input_price);
    const output_price = amountOf(typed.output_price);
    check.mutate({
      apikey_id: apikey.apikey_id,
      amount,
      ...(input_price !== undefined && { input_price }),
      ...(output_price !== undefined && { output_price }),
    });
  };

  return (
    <Section title={t("title")} description={t("text")}>
      <Form className="flex flex-wrap items-start gap-4" onSubmit={submit}>
        {FIELDS.map((field) => (
          <div key={field} className="w-full sm:w-52">
            <TextField
              label={t(`fields.${field}`)}
              inputMode="decimal"
              autoComplete="off"
              isRequired={field === "amount"}
              value={typed[field]}
              onChange={(text) => {
                setTyped({ ...typed, [field]: text });
                // The answer belongs to the figures from before.
                check.reset();
              }}
              error={isSubmitted ? faultIn(field) : undefined}
            />
          </div>
        ))}
        {/* The margin is the height of the labels, so that the button stands beside the boxes. */}
        <Button type="submit" isPending={check.isPending} className="sm:mt-[1.625rem]">
          {t("submit")}
        </Button>
      </Form>
      <div aria-live="polite" className="mt-4 grid grid-cols-1 gap-4 empty:hidden">
        {check.error && <FailureNotice error={check.error} />}
        {check.data && <CheckAnswer answer={check.data} amount={check.variables?.amount ?? 0} />}
      </div>
    </Section>
  );
}
