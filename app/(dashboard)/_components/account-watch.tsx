"use client";

import { useEffect } from "react";

const CHANNEL = "account";

/**
 * Loads the page anew when a page of another account is opened in this browser. All tabs share one session, so that this page
 * would show what is the other account's, and change it, under the name of its own.
 */
export function AccountWatch({ accountId }: { accountId: string }) {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => {
      if (data !== accountId) window.location.reload();
    };
    channel.postMessage(accountId);
    return () => channel.close();
  }, [accountId]);
  return null;
}
