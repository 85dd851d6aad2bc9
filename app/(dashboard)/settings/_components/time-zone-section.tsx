"use client";

import { useTranslations } from "use-intl/react";
import { useTypedSetting } from "@/app/_account/use-typed-setting";
import { TimeZoneField, zoneOf } from "@/app/_time-zone/time-zone-field";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";

/** Changes the time zone in which the days and months of the account begin. */
export function TimeZoneSection({ saved }: { saved: string }) {
  const t = useTranslations("settings.timeZone");
  const { redraw } = useRedraw();
  const toast = useToast();
  const { typed, type, hasFault, submit, isPending, error } = useTypedSetting(saved, {
    settingsOf: (text) => {
      const time_zone = zoneOf(text);
      return time_zone === undefined ? undefined : { time_zone };
    },
    textOf: (account) => account.time_zone,
    onSaved: ({ time_zone }) => {
      toast(t("saved", { zone: time_zone }));
      void redraw();
    },
  });
  return (
    <Section title={t("title")} description={t("text")}>
      <Form className="grid gap-4" onSubmit={submit}>
        <FailureNotice error={error} onRetry={submit} />
        <TimeZoneField typed={typed} onType={type} isWrong={hasFault}>
          <Button type="submit" isPending={isPending} isDisabled={typed === saved}>
            {t("save")}
          </Button>
        </TimeZoneField>
      </Form>
    </Section>
  );
}
