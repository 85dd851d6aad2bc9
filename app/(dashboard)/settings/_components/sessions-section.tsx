"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { FormDialog } from "@/components/form-dialog";
import { Section } from "@/components/section";
import { useToast } from "@/components/toast";
import { useFormats } from "@/components/use-formats";
import type { Session } from "@/server/accounts/schema";
import { browserName } from "./browser-name";

/** The browsers that are signed in. Each can be signed out here. */
export function SessionsSection() {
  const t = useTranslations("security.sessions");
  const formats = useFormats();
  const toast = useToast();
  const utils = trpc.useUtils();
  const [isAsking, setAsking] = useState(false);
  const { data: sessions = [], error, refetch } = trpc.accounts.sessions.useQuery();
  const refresh = () => utils.accounts.sessions.invalidate();
  const revoke = trpc.accounts.revokeSession.useMutation({
    onSuccess: (_, { session_id }) => {
      const session = sessions.find(({ id }) => id === session_id);
      if (session) toast(t("revoked", { browser: nameOf(session) }));
    },
    onSettled: refresh,
  });
  const revokeOthers = trpc.accounts.revokeOtherSessions.useMutation();
  // The notice shows a failure.
  const signOut = (session_id: string) => revoke.mutateAsync({ session_id }).catch(() => {});
  const nameOf = ({ user_agent }: Session) => {
    const named = browserName(user_agent ?? "");
    return named ? t("browser", named) : (user_agent ?? t("unknown"));
  };

  return (
    <Section
      title={t("title")}
      description={t("text")}
      actions={
        sessions.length > 1 && (
          <Button size="small" onPress={() => setAsking(true)}>
            {t("others.open")}
          </Button>
        )
      }
    >
      <FailureNotice error={error} onRetry={refetch} />
      <FailureNotice error={revoke.error} onRetry={() => revoke.variables && signOut(revoke.variables.session_id)} />
      <ul className="-mb-3 divide-y divide-line border-t border-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 text-sm">
              <p className="font-medium [overflow-wrap:anywhere]">{nameOf(session)}</p>
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
              <Button size="small" onPress={() => signOut(session.id)}>
                {t("revoke")}
                <span className="sr-only">{nameOf(session)}</span>
              </Button>
            )}
          </li>
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
