"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { TimeZoneField, zoneOf } from "@/app/_time-zone/time-zone-field";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";

/** Changes the time zone in which the days and months of the account begin. */
export function TimeZoneSection({ saved }: { saved: string }) {
  const t = useTranslations("settings.timeZone");
  const router = useRouter();
  const toast = useToast();
  const [typed, setTyped] = useState(saved);
  const sent = useRef(typed);
  const [hasFault, setFault] = useState(false);
  const save = trpc.accounts.updateSettings.useMutation({
    onSuccess: ({ time_zone }) => {
      // What was typed while it was saved stays.
      setTyped((present) => (present === sent.current ? time_zone : present));
      toast(t("saved", { zone: time_zone }));
      router.refresh();
    },
  });

  const submit = () => {
    const zone = zoneOf(typed);
    setFault(zone === undefined);
    if (zone === undefined || save.isPending) return;
    sent.current = typed;
    save.mutate({ time_zone: zone });
  };
  return (
    <Section title={t("title")} description={t("text")}>
      <Form className="grid gap-4" onSubmit={submit}>
        <FailureNotice error={save.error} onRetry={submit} />
        <TimeZoneField
          typed={typed}
          onType={(text) => {
            setTyped(text);
            setFault(false);
          }}
          isWrong={hasFault}
        >
          <Button type="submit" isPending={save.isPending} isDisabled={typed === saved}>
            {t("save")}
          </Button>
        </TimeZoneField>
      </Form>
    </Section>
  );
}
