"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useLocale, useNow, useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { WRAPPING } from "@/components/button-style";
import { useEnteredEarly } from "@/components/entered-early";
import { BOX, Field, fieldIds } from "@/components/field";
import { createFormats } from "@/components/formats";
import { accountSettings } from "@/server/accounts/schema";

const SECOND_MS = 1_000;

/** The zone that a text names, by the server's own rule; undefined if it names none. */
export function zoneOf(text: string): string | undefined {
  return accountSettings.safeParse({ time_zone: text.trim() }).data?.time_zone;
}

/** The zone of the browser, if the server knows it. Undefined in the first rendering, which must equal the server's. */
export function useOwnZone(): string | undefined {
  const [own, setOwn] = useState<string>();
  useEffect(() => setOwn(zoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone)), []);
  return own;
}

/**
 * A field for a time zone. It offers the zones of the browser, tells what time it is in the zone, and offers the browser's
 * own zone where another one is typed.
 */
export function TimeZoneField({
  typed,
  onType,
  isWrong,
  children,
}: {
  typed: string;
  onType(text: string): void;
  /** Says that the text names no zone. */
  isWrong: boolean;
  /** Stands beside the field, for example a button. */
  children?: ReactNode;
}) {
  const t = useTranslations("timeZone");
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEnteredEarly(box, "value", typed, onType);
  const own = useOwnZone();
  const zones = useBrowserZones();
  const zone = zoneOf(typed);
  const hint = t("hint");
  const error = isWrong ? t("unknown") : undefined;
  return (
    <div className="grid gap-4">
      <Field id={id} label={t("zone")} hint={hint} error={error}>
        <div className="flex flex-wrap gap-2">
          <input
            {...fieldIds(id, { hint, error })}
            ref={box}
            list={`${id}-zones`}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            className={`${BOX} ${children ? "sm:max-w-80" : ""}`}
            // The browser offers only zones that match the text, so typing should replace the whole text.
            onFocus={(event) => event.target.select()}
            onChange={(event) => onType(event.target.value)}
          />
          <datalist id={`${id}-zones`}>
            {zones.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          {children}
        </div>
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-soft empty:hidden">
        {zone !== undefined && <CurrentTime zone={zone} />}
        {own !== undefined && own !== zone && (
          // The name of a zone may need more than a line on a phone.
          <Button size="small" icon="globe" onPress={() => onType(own)} className={WRAPPING.small}>
            {t("useOwn", { zone: own })}
          </Button>
        )}
      </div>
    </div>
  );
}

function CurrentTime({ zone }: { zone: string }) {
  const t = useTranslations("timeZone");
  const now = useNow({ updateInterval: SECOND_MS });
  const formats = createFormats(useLocale(), zone, now);
  return <p className="tabular-nums">{t("now", { moment: formats.moment(now, { withZone: true }) })}</p>;
}

/** The zones that the browser knows. Empty in the first rendering, which must equal the server's. */
function useBrowserZones(): string[] {
  const [zones, setZones] = useState<string[]>([]);
  useEffect(() => setZones(Intl.supportedValuesOf("timeZone")), []);
  return zones;
}
