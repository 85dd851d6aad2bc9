import type { AnyProcedure } from "@trpc/server";
import { ZodArray, ZodNever, ZodNullable, ZodNumber, ZodObject, ZodOptional, type ZodType } from "zod";
import type { Endpoint } from "../endpoint";
import type { AppRouter } from "../router";
import { type Invoke, prepareInvoke } from "./invoke";

/** One REST endpoint: a procedure, and its path. */
export interface Route {
  method: string;
  /** As documented, `/v1/apikeys/{apikey_id}/budget`. The log shows it. */
  path: string;
  /** Name of the procedure in the router, `keys.setLimits`. */
  procedure: string;
  type: "query" | "mutation";
  invoke: Invoke;
  /** Status of success. */
  status: number;
  /** The schema of its parameters; `undefined`: it has none. */
  input: ZodType | undefined;
  /** The schema of its answer. */
  output: ZodType;
  /** Parameters that the endpoint knows; others are ignored. */
  parameters: ReadonlySet<string>;
  /** Those of them that are objects or lists of objects, each with what these know. */
  objects: ReadonlyMap<string, KnownNames>;
  /** Those of them that are numbers. */
  numbers: ReadonlySet<string>;
  /** Whether the parameters are in headers of the same names, not in the query or the body. */
  inHeaders: boolean;
  /** Whether there are parameters that are not in the path, and so a body to read where the method has one. */
  takesBody: boolean;
  /** Whether an operator's token for gateways is accepted too. */
  takesGatewayToken: boolean;
  /** Whether every valid key is accepted, and not the default key alone. */
  takesAnyKey: boolean;
  /** Its texts for the reference. */
  described: Endpoint;
}

/** The names that an object knows; others are ignored. */
export interface KnownNames {
  names: ReadonlySet<string>;
  /** Those of them that are objects or lists of objects themselves. */
  objects: ReadonlyMap<string, KnownNames>;
}

export interface RouteMatch {
  /** The routes of the path, by method. */
  methods: ReadonlyMap<string, Route>;
  /** Values of the path's parameters, percent-decoded. */
  pathParameters: Record<string, string>;
}

/** Finds the routes of a path; `undefined` for an unknown path. Paths match exactly, letter case included. */
export type MatchRoute = (path: string) => RouteMatch | undefined;

interface ProcedureDefinition {
  meta?: { endpoint?: Endpoint; takesGatewayToken?: boolean; takesAnyKey?: boolean };
  type: Route["type"];
  inputs: ZodType[];
  output: ZodType;
}

/** Every REST endpoint, from the metadata of the procedures. */
export function collectRoutes(router: AppRouter): Route[] {
  // At run time the record is flat, with names like `keys.create`. Its type is nested.
  const procedures = router._def.procedures as unknown as Record<string, AnyProcedure>;
  return Object.entries(procedures).flatMap(([procedure, called]) => {
    const { meta, type, inputs, output } = called._def as unknown as ProcedureDefinition;
    if (!meta?.endpoint) return [];
    const { endpoint: described, takesGatewayToken = false, takesAnyKey = false } = meta;
    const { method, path, status = 200, headers } = described;
    const fields = inputs.flatMap((input) => (input instanceof ZodObject ? Object.entries(input.shape) : []));
    const parameters = new Set(fields.map(([name]) => name));
    const numbers = new Set(fields.filter(([, field]) => isNumber(field)).map(([name]) => name));
    return [
      {
        method,
        path,
        procedure,
        type,
        invoke: prepareInvoke(called),
        status,
        input: inputs[0],
        output,
        parameters,
        objects: objectsAmong(fields),
        numbers,
        inHeaders: headers !== undefined,
        takesBody: [...parameters].some((name) => !path.includes(`{${name}}`)),
        takesGatewayToken,
        takesAnyKey,
        described,
      },
    ];
  });
}

function isNumber(field: unknown): boolean {
  return field instanceof ZodNumber || (field instanceof ZodOptional && isNumber(field.unwrap()));
}

function objectsAmong(fields: readonly (readonly [string, unknown])[]): Map<string, KnownNames> {
  return new Map(
    fields.flatMap(([name, field]) => {
      const object = openObject(field);
      if (!object) return [];
      const inside = Object.entries(object.shape);
      return [[name, { names: new Set(inside.map(([each]) => each)), objects: objectsAmong(inside) }] as const];
    }),
  );
}

/** The object that a parameter is or has in its list; `undefined` for others, and for one that refuses what it does not know. */
function openObject(field: unknown): ZodObject | undefined {
  if (field instanceof ZodOptional || field instanceof ZodNullable) return openObject(field.unwrap());
  if (field instanceof ZodArray) return openObject(field.element);
  return field instanceof ZodObject && !isStrict(field) ? field : undefined;
}

/** Whether an object refuses what it does not know. */
export function isStrict(object: ZodObject): boolean {
  return object.def.catchall instanceof ZodNever;
}

/** Prepares the look-up of routes: fixed paths by their text, paths with parameters by their segments. */
export function routeMatcher(routes: readonly Route[]): MatchRoute {
  const methodsOf = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = methodsOf.get(route.path) ?? new Map<string, Route>();
    methodsOf.set(route.path, methods.set(route.method, route));
  }
  const patterns = [...methodsOf]
    .filter(([path]) => path.includes("{"))
    .map(([path, methods]) => ({ segments: path.split("/"), methods }));

  return (path) => {
    const fixed = path.includes("{") ? undefined : methodsOf.get(path);
    if (fixed) return { methods: fixed, pathParameters: {} };
    const segments = path.split("/");
    for (const { segments: pattern, methods } of patterns) {
      const pathParameters = matchSegments(pattern, segments);
      if (pathParameters) return { methods, pathParameters };
    }
    return undefined;
  };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  let values: Record<string, string> | undefined;
  for (let i = 0; i < pattern.length; i++) {
    const part = pattern[i] ?? "";
    const segment = segments[i] ?? "";
    if (part.startsWith("{")) {
      if (segment === "") return undefined;
      values ??= {};
      values[part.slice(1, -1)] = decode(segment);
    } else if (part !== segment) return undefined;
  }
  return values;
}

/** What cannot be decoded stays as it is: the procedure answers it as every text that is no id. */
function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
