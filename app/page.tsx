import { ActionLink } from "../components/action-link";
import { PlainPage } from "../components/plain-page";

export default function HomePage() {
  return (
    <PlainPage heading="Allowance">
      <p className="mt-4 text-lg leading-relaxed text-ink-soft">
        A self-hosted service to manage API keys, the groups they belong to, and their limits. Its REST API is under{" "}
        <code className="font-mono text-[0.9em] text-ink">/v1</code>.
      </p>
      <nav aria-label="Reference" className="mt-8 flex flex-wrap gap-3">
        <ActionLink href="/docs" look="first">
          API reference
        </ActionLink>
        <ActionLink href="/openapi.json" look="second">
          openapi.json
        </ActionLink>
      </nav>
      <section aria-labelledby="account" className="mt-16 border-t border-line pt-8">
        <h2 id="account" className="text-base font-semibold">
          Get an account
        </h2>
        <p className="mt-2 leading-relaxed text-ink-soft">On the machine that runs Allowance, in its folder:</p>
        <pre className="mt-4 rounded-lg border border-line bg-panel px-4 py-3.5 font-mono text-[13px] leading-relaxed whitespace-pre-wrap select-all">
          <code>npm run -s account:create -- --email owner@example.com</code>
        </pre>
        <p className="mt-4 leading-relaxed text-ink-soft">
          This prints the default key of the account, once. Every request carries it:{" "}
          <code className="font-mono text-[0.9em] break-words text-ink">Authorization: Bearer &lt;API_KEY&gt;</code>
        </p>
      </section>
    </PlainPage>
  );
}
