import { isDeepStrictEqual } from "node:util";
import { type core, ZodObject, type ZodType, z } from "zod";
import { isStrict } from "./routes";

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  examples?: unknown[];
  anyOf?: Schema[];
  pattern?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
  propertyNames?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minProperties?: number;
}

/** What zod writes: the schemas that have an id stand apart. */
interface GeneratedSchema extends Schema {
  $schema?: string;
  $defs?: Record<string, GeneratedSchema>;
}

/** Schemas of the document by their names. */
export type NamedSchemas = Map<string, Schema>;

const COMPONENTS = "#/components/schemas/";
/** The formats by which generators choose a type that loses nothing of a number. */
const FORMATS: Readonly<Record<string, string>> = { number: "double", integer: "int64" };
/** The form of a day: years below 1000 are refused. */
const DAY = "^[1-9]\\d{3}-\\d{2}-\\d{2}$";

/** Adds a schema to the named ones, unless it is one of them already, and refers to it. */
export function nameSchema(name: string, schema: Schema, named: NamedSchemas): Schema {
  if (schema.$ref) return schema;
  if (named.has(name)) throw new Error(`two schemas have the id ${name}`);
  named.set(name, schema);
  return { $ref: COMPONENTS + name };
}

/**
 * Describes a schema, and adds what has an id (`.meta({ id })`) to `named`.
 * @param io whether it is that of a request or of an answer.
 * @throws {Error} when two different schemas have one id.
 */
export function describeSchema(schema: ZodType, io: "input" | "output", named: NamedSchemas): Schema {
  const { $schema: _, $defs = {}, ...described } = z.toJSONSchema(schema, { io, override }) as GeneratedSchema;
  for (const [name, definition] of Object.entries($defs)) {
    const { id: _, ...plain } = plainly(definition) as Schema & { id?: string };
    const known = named.get(name);
    if (known && !isDeepStrictEqual(known, plain)) throw new Error(`two schemas have the id ${name}`);
    named.set(name, plain);
  }
  return plainly(described);
}

/** A request may carry more than is known, and a later answer too. Only strict objects refuse it. */
function override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: core.JSONSchema.BaseSchema }): void {
  if (zodSchema instanceof ZodObject && !isStrict(zodSchema)) {
    delete jsonSchema.additionalProperties;
  }
}

/**
 * A schema in words that every tool reads alike: "a number or null" as two types, so that description and examples stand at
 * the field, but a choice of number and text as two schemas; the format of each number; no bounds that only say "an integer".
 */
function plainly({ anyOf, properties, items, propertyNames: _, ...rest }: Schema): Schema {
  if (Array.isArray(rest.type)) {
    const { type, ...outer } = rest;
    return merge(
      type.map((each) => plainly({ type: each })),
      outer,
    );
  }
  if (anyOf) return merge(anyOf.map(plainly), rest);
  const plain: Schema = { ...rest };
  if (plain.$ref) plain.$ref = plain.$ref.replace("#/$defs/", COMPONENTS);
  if (plain.minimum === Number.MIN_SAFE_INTEGER) delete plain.minimum;
  if (plain.maximum === Number.MAX_SAFE_INTEGER) delete plain.maximum;
  const format = FORMATS[String(plain.type)];
  if (format) plain.format = format;
  if (plain.format === "date") plain.pattern = DAY;
  if (typeof plain.additionalProperties === "object")
    plain.additionalProperties = plainly(plain.additionalProperties ?? {});
  if (properties) {
    plain.properties = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, plainly(field)]));
  }
  if (items) plain.items = plainly(items);
  return plain;
}

function merge(choices: Schema[], outer: Schema): Schema {
  const [only, ...others] = choices.filter(({ type }) => type !== "null");
  const isNullable = choices.some(({ type }) => type === "null");
  const staysApart = only === undefined || others.length > 0 || only.$ref || only.enum;
  if (staysApart || !isNullable) return { anyOf: choices, ...outer };
  const rules = { ...only, ...outer };
  const description = outer.description ?? (only.description && `${only.description} \`null\` when not set.`);
  return { ...rules, type: [only.type ?? [], "null"].flat(), ...(description && { description }) };
}

/**
 * An example of what a schema describes: its own, else one that is put together from those of its required properties.
 * `of`: "every" also takes the optional ones.
 */
export function exampleOf(schema: Schema, named: NamedSchemas, of: "required" | "every" = "required"): unknown {
  const { examples, $ref, anyOf, items, properties, required = [] } = schema;
  if (examples) return examples[0];
  if ($ref) return exampleOf(named.get($ref.slice(COMPONENTS.length)) ?? {}, named);
  if (anyOf?.[0]) return exampleOf(anyOf[0], named);
  if (items) return [exampleOf(items, named)];
  const shown = Object.entries(properties ?? {}).filter(([name]) => of === "every" || required.includes(name));
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, named)]));
}
