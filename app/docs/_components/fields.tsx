import type { ReactNode } from "react";
import type { Schema } from "../document";
import { RichText } from "./rich-text";
import type { DocsWords } from "./words";

/** A parameter, or a field of a body or an answer. */
interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description: string | undefined;
}

/** The fields of an object. */
export function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    description: schema.description,
  }));
}

/** Fields with type, bounds and meaning; those of objects inside below them. */
export function Fields({
  fields,
  t,
  marksRequired = false,
}: {
  fields: Field[];
  t: DocsWords;
  /** Says which ones must be sent. An answer has all of its fields. */
  marksRequired?: boolean;
}) {
  return (
    <ul className="divide-y divide-line border-y border-line text-[13px]">
      {fields.map(({ name, schema, isRequired, description }) => {
        const inner = schema.items ?? schema;
        return (
          <li key={name} className="py-2.5">
            <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
              <code className="font-mono font-semibold [overflow-wrap:anywhere]">{name}</code>
              <span lang="en" className="text-ink-soft">
                {typeOf(schema)}
              </span>
              {marksRequired && isRequired && <span className="text-xs font-medium text-danger">{t("required")}</span>}
              <Bounds schema={schema} t={t} />
            </p>
            {description && (
              <p className="mt-0.5 leading-relaxed text-ink-soft">
                <RichText>{description}</RichText>
              </p>
            )}
            {inner.properties && (
              <details className="mt-1.5">
                <summary className="min-h-6 cursor-pointer text-accent">{t("fieldsOf", { name })}</summary>
                <div className="mt-1.5 border-l border-line pl-4">
                  <Fields fields={fieldsOf(inner)} t={t} marksRequired={marksRequired} />
                </div>
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Their formats are for generators of clients. */
const NUMBERS = ["number", "integer"];

function typeOf({ type, format, items, const: only, enum: values }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  const types = [type ?? (values ? "string" : "object")].flat();
  const words = types.map((each) => (each === "array" && items ? `array of ${typeOf(items)}` : each));
  const shown = format === "date" ? "YYYY-MM-DD" : types.some((type) => NUMBERS.includes(type)) ? undefined : format;
  return `${words.join(" or ")}${shown === undefined ? "" : ` (${shown})`}`;
}

/** What a value must be like. A pattern is shown where nothing else says it. */
function Bounds({ schema, t }: { schema: Schema; t: DocsWords }) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const values = schema.enum ?? schema.items?.enum;
  const bounds: ReactNode[] = [
    between(minimum, maximum),
    between(minLength, maxLength, t("characters")),
    between(minItems, maxItems, t("items")),
    values && t("oneOf", { values: values.map((value) => String(value)).join(", ") }),
    schema.default !== undefined && t("default", { value: JSON.stringify(schema.default) }),
    pattern !== undefined && format === undefined && pattern,
  ];
  return bounds
    .filter((bound) => typeof bound === "string")
    .map((bound) => (
      <span key={bound} className="font-mono text-xs [overflow-wrap:anywhere] text-ink-soft">
        {bound}
      </span>
    ));
}

function between(least: number | undefined, most: number | undefined, unit = ""): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const number = (value: number) => value.toLocaleString("en");
  const range =
    most === undefined
      ? `≥ ${number(least ?? 0)}`
      : least === undefined
        ? `≤ ${number(most)}`
        : least === most
          ? number(most)
          : `${number(least)} – ${number(most)}`;
  return unit === "" ? range : `${range} ${unit}`;
}
