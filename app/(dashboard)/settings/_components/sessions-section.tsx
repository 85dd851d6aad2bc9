"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { WRAPPING } from "@/components/button-style";
import { FormDialog } from "@/components/form-dialog";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";
import { useFormats } from "@/components/use-formats";
import type { Session } from "@/server/accounts/schema";
import { browserName } from "./browser-name";

/** The browsers that are signed in. Each can be signed out here. */
export function SessionsSection() {
  const t = useTranslations("security.sessions");
  const toast = useToast();
  const utils = trpc.useUtils();
  const [isAsking, setAsking] = useState(false);
  const { data: sessions = [], error, refetch } = trpc.accounts.sessions.useQuery();
  const refresh = () => utils.accounts.sessions.invalidate();
  const revokeOthers = trpc.accounts.revokeOtherSessions.useMutation();

  return (
    <Section
      title={t("title")}
      description={t("text")}
      actions={
        sessions.length > 1 && (
          <Button size="small" onPress={() => setAsking(true)} className={WRAPPING.small}>
            {t("others.open")}
          </Button>
        )
      }
    >
      <FailureNotice error={error} onRetry={refetch} />
      <ul className="-mb-3 divide-y divide-line border-t border-line">
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} onSettled={refresh} />
        ))}
      </ul>
      {isAsking && (
        <FormDialog
          isQuestion
          isDanger
          title={t("others.title")}
          description={t("others.text", { count: sessions.length - 1 })}
          width="small"
          action={t("others.action")}
          onSubmit={async () => {
            await revokeOthers.mutateAsync();
            await refresh();
            toast(t("others.done"));
            setAsking(false);
          }}
          Failure={FailureNotice}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

/** One browser, with its own failure: several may be signed out at once. */
function SessionItem({ session, onSettled }: { session: Session; onSettled(): Promise<unknown> }) {
  const t = useTranslations("security.sessions");
  const formats = useFormats();
  const toast = useToast();
  const named = browserName(session.user_agent ?? "");
  const name = named ? t("browser", named) : (session.user_agent ?? t("unknown"));
  const revoke = trpc.accounts.revokeSession.useMutation({
    onSuccess: () => toast(t("revoked", { browser: name })),
    onSettled,
  });
  // The notice shows a failure.
  const signOut = () => revoke.mutateAsync({ session_id: session.id }).catch(() => {});
  return (
    <li className="grid gap-3 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 text-sm">
          <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
          <p className="text-[0.8125rem] text-ink-soft [overflow-wrap:anywhere]">
            {session.address && `${session.address} · `}
            {session.current
              ? t("current")
              : t("used", {
                  moment: formats.relative(session.last_used_at),
                  since: formats.moment(session.created_at),
                })}
          </p>
        </div>
        {!session.current && (
          <Button size="small" onPress={signOut}>
            {t("revoke")}
            <span className="sr-only">{name}</span>
          </Button>
        )}
      </div>
      <FailureNotice error={revoke.error} onRetry={signOut} />
    </li>
  );
}
