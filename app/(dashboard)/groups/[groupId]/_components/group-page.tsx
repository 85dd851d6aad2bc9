"use client";

import Link from "next/link";
import { notFound, useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { CreateKeysButtons, CreateKeysDialogs, useKeyCreation } from "@/app/_keys/create-keys-buttons";
import { KeysTable } from "@/app/_keys/keys-table";
import { SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { useCreator } from "@/app/_palette/page-action";
import { trpc } from "@/app/_trpc/client";
import { isGone } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { type GroupTask, GroupTaskDialog } from "@/app/(dashboard)/groups/_components/group-task";
import { BreakableAmount } from "@/components/breakable-amount";
import { Button } from "@/components/button";
import { WRAPPING } from "@/components/button-style";
import { Loading } from "@/components/loading";
import { PageHeading } from "@/components/page-heading";
import { Section } from "@/components/section";
import { useFormats } from "@/components/use-formats";
import type { GroupWithLimits } from "@/server/groups/schema";
import { DefaultsSection } from "./defaults-section";

/** The page of one group: its description, the limits of its keys, and the keys. */
export function GroupPage({ groupId, initial }: { groupId: string; initial: GroupWithLimits | undefined }) {
  const t = useTranslations("groups");
  const formats = useFormats();
  const router = useRouter();
  const group = trpc.groups.get.useQuery({ group_id: groupId }, { ...(initial && { initialData: initial }) });
  const [task, setTask] = useState<GroupTask>();
  // A state, because that of a page which was left meanwhile does not change.
  const [isDeleted, setDeleted] = useState(false);
  useEffect(() => {
    if (isDeleted) router.replace("/groups");
  }, [isDeleted, router]);
  const creation = useKeyCreation();
  useCreator("key", creation.createOne);
  // Somebody else has deleted it. While its deletion is open here, this browser may have: the dialog tells.
  if (!isDeleted && task?.kind !== "delete" && isGone(group.error)) notFound();
  const { data } = group;
  if (!data) {
    return group.error ? (
      <FailureNotice error={group.error} onRetry={group.refetch} />
    ) : (
      <Loading>{t("loading")}</Loading>
    );
  }
  return (
    <>
      <PageHeading
        title={data.name}
        back={{ href: "/groups", label: t("title") }}
        description={
          <>
            {data.description !== "" && (
              <span dir="auto" className="mb-1 block whitespace-pre-line [overflow-wrap:anywhere]">
                {data.description}
              </span>
            )}
            {t("page.summary", { count: data.apikey_count, moment: formats.moment(data.created_at) })}
            {" · "}
            <Link
              href={`/history?group=${groupId}`}
              prefetch={false}
              className="text-accent underline underline-offset-4"
            >
              {t("history")}
            </Link>
            {" · "}
            <Link
              href={`/usage?range=month&by=key&group=${groupId}`}
              prefetch={false}
              className="text-accent underline underline-offset-4"
            >
              {t("page.spent", { amount: formats.amount(data.spent_this_month) })}
            </Link>
          </>
        }
        actions={
          <>
            <Button icon="edit" onPress={() => setTask({ kind: "edit", group: data })}>
              {t("edit")}
            </Button>
            <Button icon="trash" onPress={() => setTask({ kind: "delete", group: data })}>
              {t("delete")}
            </Button>
            <CreateKeysButtons creation={creation} />
          </>
        }
      />
      <div className="grid gap-6">
        {/* When reading again fails, the older data stays on the page. */}
        <FailureNotice error={group.error} onRetry={group.refetch} />
        {data.apikey_count > 0 && (
          <Section
            title={t("page.limits")}
            actions={
              <Button
                size="small"
                icon="edit"
                onPress={() => setTask({ kind: "limits", group: data })}
                className={WRAPPING.small}
              >
                {t("setLimits")}
              </Button>
            }
          >
            <SharedLimitList group={data} />
          </Section>
        )}
        <DefaultsSection
          group={data}
          onEdit={() => setTask({ kind: "defaults", group: data })}
          onSetOnAll={() => setTask({ kind: "defaultsForAll", group: data })}
        />
        <section aria-label={t("page.keys")}>
          <h2 className="mb-3 text-[0.9375rem] font-semibold">{t("page.keys")}</h2>
          <KeysTable groupId={groupId} />
        </section>
      </div>
      <GroupTaskDialog task={task} onClose={() => setTask(undefined)} onDeleted={() => setDeleted(true)} />
      <CreateKeysDialogs creation={creation} groupId={groupId} />
    </>
  );
}

function SharedLimitList({ group: { shared_limits, differing_limits } }: { group: GroupWithLimits }) {
  const t = useTranslations("groups.limits");
  const texts = useLimitTexts();
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-4 md:grid-cols-3 xl:grid-cols-6">
      {SHOWN_NAMES.map((name) => (
        <div key={name} className="min-w-0">
          <dt className="text-[0.8125rem] text-ink-soft">{texts.label(name)}</dt>
          <dd className="mt-0.5 text-sm tabular-nums">
            <BreakableAmount>
              {differing_limits.includes(name) ? t("differs") : texts.value(name, shared_limits[name])}
            </BreakableAmount>
          </dd>
        </div>
      ))}
    </dl>
  );
}
