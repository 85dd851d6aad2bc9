import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { ToastProvider } from "@/components/toast";
import { TooltipProvider } from "@/components/tooltip";
import { setPageStatus } from "@/server/page-status";
import { ProofDialog } from "../_auth/proof-dialog";
import { readTheme } from "../_theme/request";
import { TrpcProvider } from "../_trpc/client";
import { readSession } from "../_trpc/session";
import { AccountWatch } from "./_components/account-watch";
import { Shell } from "./_components/shell";
import { TryAgain } from "./_components/try-again";

/** The layout of every page that needs a session. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await readSession();
  if (session.state === "signed-out") redirect(`/sign-in?next=${encodeURIComponent(await currentPath())}`);
  if (session.state !== "signed-in") {
    setPageStatus(session.state === "away" ? 503 : 429);
    return <TryAgain reason={session.state} />;
  }
  return (
    <NuqsAdapter>
      <TrpcProvider>
        <ToastProvider>
          <TooltipProvider>
            <Shell email={session.account.email} theme={await readTheme()}>
              {children}
            </Shell>
            <ProofDialog />
            <AccountWatch accountId={session.account.account_id} />
          </TooltipProvider>
        </ToastProvider>
      </TrpcProvider>
    </NuqsAdapter>
  );
}

/** The path in the address bar. Next.js does not tell it, so server/http.ts sets a header. */
async function currentPath(): Promise<string> {
  const address = new URL((await headers()).get("page-address") ?? "/", "http://localhost");
  // Next.js adds this parameter when the browser fetches a page as data.
  address.searchParams.delete("_rsc");
  return address.pathname + address.search;
}
