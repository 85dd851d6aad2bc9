"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { ChoiceField } from "@/components/choice-field";
import { CopyField } from "@/components/copy-field";
import { GatewayForm } from "./gateway-form";
import { MODEL, SNIPPET_LANGUAGES, type SnippetLanguage, snippet } from "./snippets";

/**
 * Programs that call a model with a new key at the gateway of the account. Where the address of the gateway is not known, it
 * asks for it, once for the account.
 * @param value the whole value of the key.
 */
export function KeySnippets({ value, onCopied }: { value: string; onCopied(): void }) {
  const t = useTranslations("firstRun.snippets");
  const { data: account, error, refetch } = trpc.accounts.me.useQuery();
  const [language, setLanguage] = useState<SnippetLanguage>("curl");
  if (error) return <FailureNotice error={error} onRetry={refetch} />;
  if (!account) return null;
  return (
    <section aria-label={t("title")} className="grid gap-3">
      <h3 className="text-sm font-medium">{t("title")}</h3>
      {account.gateway_url === null ? (
        <GatewayForm saved={null} />
      ) : (
        <>
          <ChoiceField<SnippetLanguage>
            label={t("language")}
            value={language}
            onChange={setLanguage}
            choices={SNIPPET_LANGUAGES.map((each) => ({ value: each, label: each }))}
          />
          <CopyField
            label={t("program", { language })}
            text={snippet(language, account.gateway_url, value)}
            onCopied={onCopied}
          />
          <p className="text-[0.8125rem] text-ink-soft">{t("model", { model: MODEL })}</p>
        </>
      )}
    </section>
  );
}
