import { type Answer, examplesOf } from "../document";
import { Code } from "./code";
import { Fields, fieldsOf } from "./fields";
import { richText } from "./rich-text";
import type { DocsWords } from "./words";

/** A status: when it comes, with which fields, examples and headers. The example of a success stands beside the call. */
export function AnswerOf({ answer: { status, description, headers, content }, t }: { answer: Answer; t: DocsWords }) {
  const isSuccess = status.startsWith("2");
  return (
    <details className="answer">
      <summary>
        <code data-success={isSuccess || undefined}>{status}</code>
        <span lang="en">{richText(description)}</span>
      </summary>
      <div className="mt-3 grid gap-4 pl-5">
        {content.map(([type, answered]) => (
          <div key={type} className="grid min-w-0 gap-3">
            {isSuccess && answered.schema?.properties && <Fields fields={fieldsOf(answered.schema)} t={t} />}
            {!isSuccess &&
              examplesOf(answered).map(({ summary, value }) => (
                <Code key={summary} label={summary ?? type} text={written(value)} />
              ))}
          </div>
        ))}
        {headers.length > 0 && (
          <p className="text-ink-soft">
            <a href="#headers" className="underline underline-offset-4 hover:text-ink">
              {t("withHeaders", { names: headers.join(", ") })}
            </a>
          </p>
        )}
      </div>
    </details>
  );
}

/** An example as it goes over the wire, with line breaks. */
export function written(value: unknown): string {
  return typeof value === "string" ? value.replace("\uFEFF", "") : JSON.stringify(value, null, 2);
}
