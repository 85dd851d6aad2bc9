"use client";

import { useRouter } from "next/navigation";
import { useEffect, useId, useState } from "react";
import { useLocale, useNow, useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { BOX, Field, fieldIds } from "@/components/field";
import { Form } from "@/components/form";
import { createFormats } from "@/components/formats";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";
import { accountSettings } from "@/server/accounts/schema";

const SECOND_MS = 1_000;

/** Changes the time zone in which the days and months of the account begin. */
export function TimeZoneSection({ saved }: { saved: string }) {
  const t = useTranslations("settings.timeZone");
  const id = useId();
  const router = useRouter();
  const toast = useToast();
  const zones = useBrowserZones();
  const [typed, setTyped] = useState(saved);
  const [hasFault, setFault] = useState(false);
  const save = trpc.accounts.updateSettings.useMutation({
    onSuccess: ({ time_zone }) => {
      setTyped(time_zone);
      toast(t("saved", { zone: time_zone }));
      router.refresh();
    },
  });

  const zone = zoneOf(typed);
  const submit = () => {
    setFault(zone === undefined);
    if (zone !== undefined && !save.isPending) save.mutate({ time_zone: zone });
  };
  const error = hasFault ? t("unknown") : undefined;
  return (
    <Section title={t("title")} description={t("text")}>
      <Form className="grid gap-4" onSubmit={submit}>
        <FailureNotice error={save.error} onRetry={submit} />
        <Field id={id} label={t("zone")} hint={t("hint")} error={error}>
          <div className="flex flex-wrap gap-2">
            <input
              {...fieldIds(id, { hint: t("hint"), error })}
              list={`${id}-zones`}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              className={`${BOX} sm:max-w-80`}
              // The browser offers only zones that match the text, so typing should replace the saved zone.
              onFocus={(event) => event.target.select()}
              onChange={(event) => {
                setTyped(event.target.value);
                setFault(false);
              }}
            />
            <datalist id={`${id}-zones`}>
              {zones.all.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <Button variant="primary" type="submit" isPending={save.isPending} isDisabled={typed === saved}>
              {t("save")}
            </Button>
          </div>
        </Field>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-soft">
          {zone !== undefined && <CurrentTime zone={zone} />}
          {zones.own !== undefined && zones.own !== zone && (
            <Button
              size="small"
              icon="globe"
              onPress={() => {
                setTyped(zones.own ?? saved);
                setFault(false);
              }}
            >
              {t("useOwn", { zone: zones.own })}
            </Button>
          )}
        </div>
      </Form>
    </Section>
  );
}

function CurrentTime({ zone }: { zone: string }) {
  const t = useTranslations("settings.timeZone");
  const now = useNow({ updateInterval: SECOND_MS });
  const formats = createFormats(useLocale(), zone, now);
  return <p className="tabular-nums">{t("now", { moment: formats.moment(now, { withZone: true }) })}</p>;
}

/** The zone that a text names, by the server's own rule; undefined if it names none. */
function zoneOf(text: string): string | undefined {
  return accountSettings.safeParse({ time_zone: text.trim() }).data?.time_zone;
}

/** The zones that the browser knows, and its own zone. Empty in the first rendering, which must equal the server's. */
function useBrowserZones(): { all: string[]; own: string | undefined } {
  const [zones, setZones] = useState<{ all: string[]; own: string | undefined }>({ all: [], own: undefined });
  useEffect(() => {
    setZones({
      all: Intl.supportedValuesOf("timeZone"),
      own: zoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone),
    });
  }, []);
  return zones;
}
