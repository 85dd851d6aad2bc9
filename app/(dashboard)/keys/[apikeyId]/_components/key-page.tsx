"use client";

import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { actionsFor, type KeyAction } from "@/app/_keys/key-action";
import { KeyDialog } from "@/app/_keys/key-dialog";
import { KeyMenu } from "@/app/_keys/key-menu";
import { KeyStatusChip } from "@/app/_keys/key-status";
import { msOfThisDay } from "@/app/_keys/ms-of-this-day";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { CopyButton } from "@/components/copy-field";
import { PageHeading } from "@/components/page-heading";
import { useFormats } from "@/components/use-formats";
import type { FoundKey } from "@/server/keys/schema";
import { ActivitySection } from "./activity-section";
import { CheckSection } from "./check-section";
import { OpenAuthorizations } from "./open-authorizations";
import { RefusalsSection } from "./refusals-section";
import { SettingsSections } from "./settings-sections";
import { SpendSection } from "./spend-section";
import { StateSection } from "./state-section";

/** The page of one key: its state and what is left, its activity, its authorizations, and its settings. */
export function KeyPage({
  apikeyId,
  initial,
}: {
  apikeyId: string;
  /** The key that the server has read; undefined if it could not. */
  initial: FoundKey | undefined;
}) {
  const t = useTranslations("keys");
  const formats = useFormats();
  const {
    data: apikey,
    error,
    refetch,
  } = trpc.keys.get.useQuery(
    { apikey_id: apikeyId },
    { ...(initial && { initialData: initial }), refetchInterval: ({ state }) => msOfThisDay(state.data) },
  );
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
              <code className="font-mono text-[0.8125rem]">{apikey.apikey_id}…</code>
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
        <StateSection apikey={apikey} actions={<StateActions actions={actions} onAct={setAction} />} />
        <ActivitySection apikeyId={apikey.apikey_id} />
        <SpendSection apikey={apikey} />
        <OpenAuthorizations apikeyId={apikey.apikey_id} />
        <RefusalsSection apikeyId={apikey.apikey_id} />
        {apikey.status !== "revoked" && <CheckSection apikey={apikey} />}
        <SettingsSections apikey={apikey} actions={actions} onAct={setAction} />
      </div>
      {action && <KeyDialog action={action} apikey={apikey} onClose={() => setAction(undefined)} />}
    </>
  );
}

/** The way out of a state that refuses calls. */
function StateActions({ actions, onAct }: { actions: readonly KeyAction[]; onAct(action: KeyAction): void }) {
  const t = useTranslations("keys");
  return (
    <>
      {actions.includes("enable") && (
        <Button size="small" icon="check" onPress={() => onAct("enable")}>
          {t("actions.enable")}
        </Button>
      )}
      {actions.includes("limits") && (
        <Button size="small" icon="edit" onPress={() => onAct("limits")}>
          {t("page.editLimits")}
        </Button>
      )}
    </>
  );
}
