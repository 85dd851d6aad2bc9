import type { Schema } from "../document";
import { richText } from "./rich-text";
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
    <ul className="fields">
      {fields.map(({ name, schema, isRequired, description }) => {
        const inner = schema.items ?? schema;
        return (
          <li key={name}>
            <code>{name}</code>
            <span lang="en">{typeOf(schema)}</span>
            {marksRequired && isRequired && <strong>{t("required")}</strong>}
            {boundsOf(schema, t).map((bound) => (
              <small key={bound}>{bound}</small>
            ))}
            {description && <p lang="en">{richText(description)}</p>}
            {inner.properties && (
              <details>
                <summary>{t("fieldsOf", { name })}</summary>
                <div>
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
function boundsOf(schema: Schema, t: DocsWords): string[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const values = schema.enum ?? schema.items?.enum;
  return [
    exclusiveMinimum !== undefined && `> ${exclusiveMinimum}`,
    between(minimum, maximum),
    between(minLength, maxLength, t("characters")),
    between(minItems, maxItems, t("items")),
    values && t("oneOf", { values: values.map((value) => String(value)).join(", ") }),
    schema.default !== undefined && t("default", { value: JSON.stringify(schema.default) }),
    pattern !== undefined && format === undefined && pattern,
  ].filter((bound) => typeof bound === "string");
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
