/** The part of JSON Schema that the document uses. */
export interface Schema {
  type?: string | string[];
  description?: string;
  examples?: unknown[];
  anyOf?: Schema[];
  pattern?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
  minimum?: number;
  maximum?: number;
  minProperties?: number;
}

/** The schema of a body. `wantsAtLeastOne`: no parameter is required by itself, but one of them is. */
export function describeBody(schema: Schema, wantsAtLeastOne: boolean): Schema {
  return { ...plainly(schema), ...(wantsAtLeastOne && { minProperties: 1 }) };
}

/**
 * A schema in fewer words that every tool reads alike: "a number or null" as two types instead of two schemas, so that
 * description and examples stand at the field; no bounds that only say "an integer"; no ban on further properties,
 * which a request may carry and a later version may answer with; an example for every object and array.
 */
export function plainly({ anyOf, additionalProperties: _, properties, items, ...rest }: Schema): Schema {
  if (anyOf) return merge(anyOf.map(plainly), rest);
  const plain: Schema = { ...rest };
  if (plain.minimum === Number.MIN_SAFE_INTEGER) delete plain.minimum;
  if (plain.maximum === Number.MAX_SAFE_INTEGER) delete plain.maximum;
  if (properties) {
    plain.properties = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, plainly(field)]));
    plain.examples ??= [exampleOf(plain)];
  }
  if (items) {
    plain.items = plainly(items);
    plain.examples ??= [[exampleOf(plain.items)]];
  }
  return plain;
}

/** An example of what a schema describes: its own, else put together from its properties' examples. */
export function exampleOf({ properties, examples }: Schema): unknown {
  if (examples) return examples[0];
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field)]));
}

function merge(choices: Schema[], outer: Schema): Schema {
  const types = [...new Set(choices.flatMap(({ type = [] }) => type))];
  const rules = Object.assign({}, ...choices.filter(({ type }) => type !== "null"), outer) as Schema;
  if (!types.includes("null")) return { ...rules, type: types };
  if (rules.enum) rules.enum = [...rules.enum, null];
  const description = outer.description ?? `${rules.description} \`null\` when not set.`;
  return { ...rules, type: types, description };
}
