import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { ActionLink } from "../components/action-link";
import { PlainPage } from "../components/plain-page";
import { callerFor } from "../server/page-caller";
import { readWords } from "./_i18n/request";
import { readSession } from "./_trpc/session";

export default async function HomePage() {
  if ((await readSession()).state === "signed-in") redirect("/overview");
  const { sign_up: isOpen } = await callerFor(await headers()).accounts.signInOptions();
  const t = await readWords("home");
  const auth = await readWords("auth");
  const code = (text: React.ReactNode) => <code className="font-mono text-[0.9em] text-ink">{text}</code>;
  return (
    <PlainPage heading="Allowance">
      <p className="mt-4 text-lg leading-relaxed text-ink-soft">{t.rich("about", { code })}</p>
      <nav aria-label={t("waysIn")} className="mt-8 flex flex-wrap gap-3">
        <ActionLink href="/sign-in" variant="primary">
          {t("signIn")}
        </ActionLink>
        {isOpen && (
          <ActionLink href="/sign-up" variant="secondary">
            {auth("signUp.title")}
          </ActionLink>
        )}
        <ActionLink href="/docs" variant="secondary">
          {t("apiReference")}
        </ActionLink>
        <ActionLink href="/openapi.json" variant="secondary">
          openapi.json
        </ActionLink>
      </nav>
      {!isOpen && <CommandForAccount />}
    </PlainPage>
  );
}

/** How the operator makes an account, where visitors cannot. */
async function CommandForAccount() {
  const t = await readWords("home");
  return (
    <section aria-labelledby="account" className="mt-16 border-t border-line pt-8">
      <h2 id="account" className="text-base font-semibold">
        {t("account")}
      </h2>
      <p className="mt-2 leading-relaxed text-ink-soft">{t("command")}</p>
      <pre className="mt-4 rounded-lg border border-line bg-panel px-4 py-3.5 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap select-all">
        <code>
          npm run -s account:create -- <span className="whitespace-nowrap">--email owner@example.com</span>
        </code>
      </pre>
      <p className="mt-4 leading-relaxed text-ink-soft">
        {t("printed")}{" "}
        <code className="font-mono text-[0.9em] break-words text-ink">Authorization: Bearer &lt;API_KEY&gt;</code>
      </p>
    </section>
  );
}
