import { curlOf } from "../curl";
import { type Operation as DescribedOperation, examplesOf } from "../document";
import { AnswerOf, written } from "./answer";
import { Code } from "./code";
import { Fields, fieldsOf } from "./fields";
import { Method } from "./method";
import { richText } from "./rich-text";
import type { DocsWords } from "./words";

/** The places of parameters, in the order in which they are shown. */
const PLACES = ["path", "query", "header"] as const;

/** One operation: what it does and takes on the left, how to call it on the right, then what it answers. */
export async function Operation({
  operation,
  origin,
  t,
  turn,
}: {
  operation: DescribedOperation;
  origin: string;
  t: DocsWords;
  /** When it may be rendered. */
  turn: Promise<void>;
}) {
  await turn;
  const {
    id,
    method,
    path,
    summary,
    description,
    parameters = [],
    requestBody,
    answers,
    sharedErrors,
    security,
  } = operation;
  const body = requestBody?.content["application/json"];
  const takes = (name: string) => security.some((scheme) => name in scheme);
  return (
    <article aria-labelledby={id} className="border-t border-line py-8">
      <h3 id={id} lang="en" className="scroll-mt-10 text-lg font-semibold tracking-tight lg:scroll-mt-2">
        <a href={`#${id}`} className="underline-offset-4 hover:underline">
          {summary}
        </a>
      </h3>
      <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2">
        <Method>{method}</Method>
        <code className="text-[0.8125rem]">{path}</code>
      </p>
      <div className="mt-4 grid grid-cols-1 gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="grid content-start gap-6">
          <div className="grid gap-2 text-sm leading-relaxed text-ink-soft">
            <p lang="en">{richText(description)}</p>
            <p className="text-[0.8125rem]">
              <a href="#authentication" className="text-accent underline underline-offset-4">
                {t(takes("gatewayToken") ? "keyOrToken" : takes("anyKey") ? "anyKey" : "defaultKey")}
              </a>
            </p>
          </div>
          {PLACES.map((place) => {
            const here = parameters.filter((parameter) => parameter.in === place);
            return here.length === 0 ? null : (
              <Part key={place} title={t(`places.${place}`)}>
                <Fields
                  fields={here.map(({ required, ...parameter }) => ({
                    isRequired: required,
                    description: undefined,
                    ...parameter,
                  }))}
                  t={t}
                  marksRequired
                />
              </Part>
            );
          })}
          {body?.schema && (
            <Part title={t("body")}>
              {body.schema.minProperties === 1 && (
                <p className="mb-2 text-[0.8125rem] text-ink-soft">{t("atLeastOne")}</p>
              )}
              <Fields fields={fieldsOf(body.schema)} t={t} marksRequired />
            </Part>
          )}
          <Part title={t("answers")}>
            <div className="grid divide-y divide-line border-y border-line">
              {answers.map((answer) => (
                <AnswerOf key={answer.status} answer={answer} t={t} />
              ))}
            </div>
            <p className="mt-2.5 text-[0.8125rem] text-ink-soft">
              <a href="#errors" className="underline underline-offset-4 hover:text-ink">
                {t("sharedErrors", { statuses: sharedErrors.join(", ") })}
              </a>
            </p>
          </Part>
        </div>
        <div className="grid min-w-0 content-start gap-4 xl:sticky xl:top-20">
          <Code label={t("call")} text={curlOf(origin, operation)} copyLabel={t("copyCall", { summary })} />
          {answers
            .filter(({ status }) => status.startsWith("2"))
            .flatMap(({ status, content }) =>
              content.flatMap(([type, answered]) =>
                examplesOf(answered).map(({ value }) => (
                  <Code key={`${status} ${type}`} label={`${status} · ${type}`} text={written(value)} />
                )),
              ),
            )}
        </div>
      </div>
    </article>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h4 className="mb-2 text-[0.8125rem] font-semibold">{title}</h4>
      {children}
    </section>
  );
}
