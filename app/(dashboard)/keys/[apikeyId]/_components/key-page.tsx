"use client";

import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { actionsFor, type KeyAction } from "@/app/_keys/key-action";
import { KeyDialog } from "@/app/_keys/key-dialog";
import { KeyMenu } from "@/app/_keys/key-menu";
import { KeyStatusChip } from "@/app/_keys/key-status";
import { SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { CopyButton } from "@/components/copy-field";
import { PageHeading } from "@/components/page-heading";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import type { FoundKey } from "@/server/keys/schema";
import { CheckSection } from "./check-section";
import { OpenAuthorizations } from "./open-authorizations";
import { RefusalsSection } from "./refusals-section";
import { SpendSection } from "./spend-section";

/** The page of one key: its spend, its limits, its value, and its authorizations. */
export function KeyPage({
  apikeyId,
  initial,
}: {
  apikeyId: string;
  /** The key that the server has read; undefined if it could not. */
  initial: FoundKey | undefined;
}) {
  const t = useTranslations("keys");
  const texts = useLimitTexts();
  const formats = useFormats();
  const {
    data: apikey,
    error,
    refetch,
  } = trpc.keys.get.useQuery({ apikey_id: apikeyId }, { ...(initial && { initialData: initial }) });
  const [action, setAction] = useState<KeyAction>();
  if (!apikey) return <FailureNotice error={error} onRetry={refetch} />;

  const actions = actionsFor(apikey);
  return (
    <>
      <PageHeading
        title={apikey.name}
        back={{ href: "/keys", label: t("title") }}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <KeyStatusChip apikey={apikey} />
            <span className="flex items-center gap-1">
              <code className="font-mono text-[13px]">{apikey.apikey_id}…</code>
              <CopyButton text={apikey.apikey_id} label={t("copyId", { name: apikey.name })} />
            </span>
            {apikey.is_default && <span>{t("defaultLong")}</span>}
            <span>
              {apikey.group_id === null ? (
                t("noGroup")
              ) : (
                <Link
                  href={`/groups/${apikey.group_id}`}
                  prefetch={false}
                  className="text-accent underline underline-offset-4"
                >
                  <bdi>{apikey.group_name}</bdi>
                </Link>
              )}
            </span>
            <span>{t("createdAt", { moment: formats.moment(apikey.created_at) })}</span>
          </span>
        }
        actions={<KeyMenu apikey={apikey} onAct={setAction} />}
      />
      <div className="grid gap-5">
        <FailureNotice error={error} onRetry={refetch} />
        <SpendSection apikey={apikey} />
        <Section
          title={t("page.limits")}
          actions={
            actions.includes("limits") && (
              <Button size="small" icon="edit" onPress={() => setAction("limits")}>
                {t("page.editLimits")}
              </Button>
            )
          }
        >
          <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
            {SHOWN_NAMES.map((name) => (
              <div key={name}>
                <dt className="text-[13px] text-ink-soft">{texts.label(name)}</dt>
                <dd className="mt-0.5 text-sm tabular-nums">{texts.value(name, apikey[name])}</dd>
              </div>
            ))}
          </dl>
        </Section>
        <Section
          title={t("page.value")}
          description={
            apikey.previous_value_until === null
              ? t("page.valueText")
              : t("page.twoValues", { moment: formats.moment(apikey.previous_value_until, { withZone: true }) })
          }
          actions={
            actions.includes("rotate") && (
              <Button size="small" icon="rotate" onPress={() => setAction("rotate")}>
                {t("actions.rotate")}
              </Button>
            )
          }
        >
          <code className="font-mono text-[13px] text-ink-soft">{apikey.apikey_id}••••••••••••</code>
        </Section>
        {apikey.status !== "revoked" && <CheckSection apikey={apikey} />}
        <OpenAuthorizations apikeyId={apikey.apikey_id} />
        <RefusalsSection apikeyId={apikey.apikey_id} />
      </div>
      {action && <KeyDialog action={action} apikey={apikey} onClose={() => setAction(undefined)} />}
    </>
  );
}
