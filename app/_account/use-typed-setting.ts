"use client";

import { useRef, useState } from "react";
import { trpc } from "@/app/_trpc/client";
import type { Account } from "@/server/accounts/schema";

type Settings = Parameters<ReturnType<typeof trpc.accounts.updateSettings.useMutation>["mutate"]>[0];

/**
 * A setting of the account that is typed and then saved. What is typed while it is saved stays.
 * @param saved what the field begins with.
 * @param settingsOf what is sent for a text; `undefined` where it names nothing.
 * @param textOf the text for what holds after saving.
 */
export function useTypedSetting(
  saved: string,
  {
    settingsOf,
    textOf,
    onSaved,
  }: {
    settingsOf(typed: string): Settings | undefined;
    textOf(account: Account): string;
    onSaved(account: Account): unknown;
  },
) {
  const [typed, setTyped] = useState(saved);
  const [hasFault, setFault] = useState(false);
  const sent = useRef(typed);
  const save = trpc.accounts.updateSettings.useMutation({
    onSuccess: (account) => {
      setTyped((present) => (present === sent.current ? textOf(account) : present));
      return onSaved(account);
    },
  });
  return {
    typed,
    type: (text: string) => {
      setTyped(text);
      setFault(false);
    },
    /** Whether the text that was sent names nothing. */
    hasFault,
    submit: () => {
      const settings = settingsOf(typed);
      setFault(settings === undefined);
      if (settings === undefined || save.isPending) return;
      sent.current = typed;
      save.mutate(settings);
    },
    isPending: save.isPending,
    error: save.error,
  };
}
