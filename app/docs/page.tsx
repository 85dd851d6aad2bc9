import type { Metadata } from "next";
import { headers } from "next/headers";
import { Mark } from "@/components/mark";
import { SkipLink } from "@/components/skip-link";
import { referenceFor } from "@/server/page-reference";
import { readWords } from "../_i18n/request";
import { AnswerOf } from "./_components/answer";
import { Code } from "./_components/code";
import { Contents } from "./_components/contents";
import { Operation } from "./_components/operation";
import { richText } from "./_components/rich-text";
import { readDocument } from "./document";
import { turns } from "./turns";
import "./reference.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await readWords("docs");
  return { title: t("title"), description: t("description") };
}

/** The reference of the REST API. The server renders it from the document that it serves at `/openapi.json`. */
export default async function DocsPage() {
  const t = await readWords("docs");
  const { document, origin } = await referenceFor(await headers());
  const { api, sections, sharedErrors } = readDocument(document);
  const { info, components } = api;
  // All of it at once would keep the API waiting, which the same thread answers (docs/decisions/api-reference.md).
  const nextTurn = turns();
  return (
    <>
      <SkipLink>{t("skip")}</SkipLink>
      <header className="sticky top-0 z-20 flex h-12 items-center gap-6 border-b border-line bg-page px-4 text-sm sm:px-6">
        <a
          href="/"
          // Without room beside the mark, the word breaks into a line that is not seen.
          className="flex h-6 min-w-6 flex-wrap items-center gap-x-2.5 overflow-hidden font-medium"
        >
          <Mark className="size-5" />
          <span>Allowance</span>
        </a>
        <a href="/openapi.json" className="text-ink-soft underline-offset-4 hover:text-ink hover:underline">
          openapi.json
        </a>
      </header>
      <div className="mx-auto max-w-[96rem] px-4 sm:px-6 lg:flex lg:gap-10">
        <Contents
          sections={sections.map(({ id, name, operations }) => ({
            id,
            name,
            operations: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
          }))}
        />
        <main id="content" tabIndex={-1} className="reference min-w-0 flex-1 pt-7 pb-24 outline-none">
          <h1 className="text-2xl font-semibold tracking-tight">{t("title")}</h1>
          <p className="mt-1.5 text-[0.8125rem] text-ink-soft">{t("version", { version: info.version })}</p>
          <div className="mt-5 text-sm">
            {info.description.split("\n\n").map((paragraph) => (
              <p key={paragraph} lang="en" className="mt-3 max-w-3xl leading-relaxed text-ink-soft first:mt-0">
                {richText(paragraph)}
              </p>
            ))}
          </div>
          <section aria-labelledby="authentication" className="mt-10">
            <h2 id="authentication" className="scroll-mt-10 text-xl font-semibold tracking-tight lg:scroll-mt-2">
              {t("authentication")}
            </h2>
            <div className="mt-4 grid grid-cols-1 gap-x-8 gap-y-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
              <dl className="grid content-start gap-3 text-sm">
                {Object.entries(components.securitySchemes).map(([name, { description }]) => (
                  <div key={name}>
                    <dt className="font-medium">{t(schemeName(name))}</dt>
                    <dd lang="en" className="mt-0.5 leading-relaxed text-ink-soft">
                      {richText(description)}
                    </dd>
                  </div>
                ))}
              </dl>
              <Code
                label={t("call")}
                text={`KEY=<API_KEY>\ncurl -sS "${origin}/v1/account" \\\n  -H "Authorization: Bearer $KEY"`}
                copyLabel={t("copyCall", { summary: t("authentication") })}
              />
            </div>
          </section>
          <section aria-labelledby="errors" className="mt-10 text-[0.8125rem]">
            <h2 id="errors" className="scroll-mt-10 text-xl font-semibold tracking-tight lg:scroll-mt-2">
              {t("errors")}
            </h2>
            <div className="mt-4 grid divide-y divide-line border-y border-line">
              {sharedErrors.map((answer) => (
                <AnswerOf key={answer.status} answer={answer} t={t} />
              ))}
            </div>
          </section>
          <section aria-labelledby="headers" className="mt-10 text-[0.8125rem]">
            <h2 id="headers" className="scroll-mt-10 text-xl font-semibold tracking-tight lg:scroll-mt-2">
              {t("headers")}
            </h2>
            <dl className="mt-4 grid divide-y divide-line border-y border-line">
              {Object.entries(components.headers).map(([name, { description }]) => (
                <div key={name} className="py-2.5">
                  <dt className="font-mono font-semibold">{name}</dt>
                  <dd lang="en" className="mt-0.5 leading-relaxed text-ink-soft">
                    {richText(description)}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
          {sections.map(({ id, name, description, operations }) => (
            <section key={id} aria-labelledby={id} className="mt-14">
              <h2 id={id} lang="en" className="scroll-mt-10 text-xl font-semibold tracking-tight lg:scroll-mt-2">
                {name}
              </h2>
              <p lang="en" className="mt-1.5 mb-6 text-sm leading-relaxed text-ink-soft">
                {richText(description)}
              </p>
              {operations.map((operation) => (
                <Operation key={operation.id} operation={operation} origin={origin} t={t} turn={nextTurn()} />
              ))}
            </section>
          ))}
        </main>
      </div>
    </>
  );
}

function schemeName(name: string): "gatewayToken" | "anyKey" | "defaultKey" {
  return name === "gatewayToken" || name === "anyKey" ? name : "defaultKey";
}
