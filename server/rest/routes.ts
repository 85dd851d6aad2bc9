import { ZodNumber, ZodObject, ZodOptional } from "zod";
import type { AppRouter } from "../router";

/** One REST endpoint: a procedure, and where it stands. */
export interface Route {
  method: string;
  /** As documented, `/v1/apikeys/{apikey_id}/budget`; what the log shows. */
  path: string;
  /** Name of the procedure in the router, `keys.setLimits`. */
  procedure: string;
  type: "query" | "mutation";
  /** Status of success. */
  status: number;
  /** Parameters that the contract names; whatever else a body carries is ignored. */
  parameters: ReadonlySet<string>;
  /** Those of them that are numbers. */
  numbers: ReadonlySet<string>;
  /** Whether they stand in headers of the same names, not in the query or the body. */
  inHeaders: boolean;
  /** Whether an operator's token for gateways is as good as a default key. */
  takesGatewayToken: boolean;
  /** What success means, in words, where the metadata says it. */
  success: string | undefined;
  /** When which error comes, where the metadata says it. */
  errors: Readonly<Record<number, string>>;
}

export interface RouteMatch {
  /** Each method that the path has. */
  methods: ReadonlyMap<string, Route>;
  /** Values of the path's parameters, percent-decoded. */
  pathParameters: Record<string, string>;
}

/** Finds what stands at a path; undefined where nothing does. Paths match exactly, letter case included. */
export type MatchRoute = (path: string) => RouteMatch | undefined;

interface RouteMeta {
  method: string;
  path: string;
  requestHeaders?: ZodObject;
  successDescription?: string;
  errorResponses?: Record<number, string>;
}

interface ProcedureDefinition {
  meta?: { openapi?: RouteMeta; status?: number; takesGatewayToken?: boolean };
  type: Route["type"];
  inputs: unknown[];
}

/** Every REST endpoint, from the `openapi` metadata of the procedures. */
export function collectRoutes(router: AppRouter): Route[] {
  // At run time the record is flat, keyed `keys.create`; its type follows the nesting instead.
  const procedures = router._def.procedures as unknown as Record<string, { _def: ProcedureDefinition }>;
  return Object.entries(procedures).flatMap(
    ([
      procedure,
      {
        _def: { meta, type, inputs },
      },
    ]) => {
      if (!meta?.openapi) return [];
      const { method, path, requestHeaders, successDescription: success, errorResponses: errors = {} } = meta.openapi;
      const fields = inputs.flatMap((input) => (input instanceof ZodObject ? Object.entries(input.shape) : []));
      const parameters = new Set(fields.map(([name]) => name));
      const numbers = new Set(fields.filter(([, field]) => isNumber(field)).map(([name]) => name));
      const { status = 200, takesGatewayToken = false } = meta;
      const inHeaders = requestHeaders !== undefined;
      const described = { success, errors, takesGatewayToken };
      return [{ method, path, procedure, type, status, parameters, numbers, inHeaders, ...described }];
    },
  );
}

function isNumber(field: unknown): boolean {
  return field instanceof ZodNumber || (field instanceof ZodOptional && isNumber(field.unwrap()));
}

/** Builds the look-up of routes once: fixed paths by their text, the others by their segments. */
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
  const values: Record<string, string> = {};
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i] ?? "";
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decode(segment);
    if (!value) return undefined;
    values[part.slice(1, -1)] = value;
  }
  return values;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
