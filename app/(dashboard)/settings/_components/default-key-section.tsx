"use client";

import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { KeyStatusChip } from "@/app/_keys/key-status";
import { RotateKeyDialog } from "@/app/_keys/rotate-key-dialog";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { CopyButton } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import { LIMIT_NAMES } from "@/server/limits/schema";

/** The default key of the account, which manages keys and groups over the API. It can be rotated here. */
export function DefaultKeySection({ apikeyId }: { apikeyId: string }) {
  const t = useTranslations("settings.defaultKey");
  const words = useTranslations("keys");
  const formats = useFormats();
  const texts = useLimitTexts();
  const [isRotating, setRotating] = useState(false);
  const { data: apikey, error, refetch } = trpc.keys.get.useQuery({ apikey_id: apikeyId });
  const limits = apikey ? LIMIT_NAMES.filter((name) => apikey[name]) : [];
  return (
    <Section
      title={t("title")}
      description={t("text")}
      actions={
        apikey && (
          <Button size="small" icon="rotate" onPress={() => setRotating(true)}>
            {words("actions.rotate")}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        <FailureNotice error={error} onRetry={refetch} />
        {apikey?.previous_value_until != null && (
          <Notice tone="info">
            {words("page.twoValues", { moment: formats.moment(apikey.previous_value_until, { withZone: true }) })}
          </Notice>
        )}
        {apikey && (
          <>
            <dl className="grid gap-x-8 gap-y-4 text-sm sm:grid-cols-3">
              <Fact name={t("value")}>
                <span className="flex items-center gap-1">
                  <code className="font-mono text-[0.8125rem]">{apikey.apikey_id}••••</code>
                  <CopyButton text={apikey.apikey_id} label={words("copyId", { name: apikey.name })} />
                </span>
              </Fact>
              <Fact name={words("columns.status")}>
                <KeyStatusChip apikey={apikey} />
              </Fact>
              <Fact name={words("columns.created_at")}>{formats.moment(apikey.created_at)}</Fact>
              {limits.map((name) => (
                <Fact key={name} name={texts.label(name)}>
                  {texts.value(name, apikey[name])}
                </Fact>
              ))}
            </dl>
            <p className="text-sm text-ink-soft">
              {limits.length === 0 && `${t("noLimits")} `}
              <Link
                href={`/keys/${encodeURIComponent(apikeyId)}`}
                prefetch={false}
                className="text-accent underline underline-offset-4"
              >
                {t("open")}
              </Link>
            </p>
          </>
        )}
      </div>
      {isRotating && apikey && <RotateKeyDialog apikey={apikey} onClose={() => setRotating(false)} />}
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
      <dd className="mt-0.5 flex min-h-6 items-center tabular-nums">{children}</dd>
    </div>
  );
}
