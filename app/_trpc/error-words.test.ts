import { expect, test } from "vitest";
import type { z } from "zod";
import { WORDED } from "@/app/_auth/failure";
import { LANGUAGES } from "@/app/_i18n/language";
import { MESSAGES } from "@/app/_i18n/messages";
import { errors } from "@/server/errors/catalogue";
import type { Failure } from "@/server/errors/failure";
import { requestErrors } from "@/server/errors/request-errors";
import { FAULT_CODES } from "@/server/input/fault";
import { appRouter } from "@/server/router";

/** Their sentences are made of what is wrong with each parameter, or of a code of their own. */
const MADE_OF_OTHERS = ["invalid_input", "call_refused"];
/** Their words have the number of minutes from a header. */
const WITH_A_WAIT = ["TOO_MANY_ATTEMPTS"];

const codesOf = (makers: object) =>
  (Object.values(makers) as ((...values: string[]) => Failure)[]).map((make) => make("1", "2", "3").code as string);
/** Failures of a sign-in have codes in the form of better-auth. */
const isOfSignIn = (code: string) => code === code.toUpperCase();
const codes = [...codesOf(errors), ...codesOf(requestErrors)];

test.each(LANGUAGES)("every failure of the server has words in %s", (language) => {
  const { errors: words, auth } = MESSAGES[language];
  const expected = codes.filter((code) => !isOfSignIn(code) && !MADE_OF_OTHERS.includes(code));
  expect(Object.keys(words).sort()).toEqual(expected.sort());
  const ofSignIn = codes.filter((code) => isOfSignIn(code) && !WITH_A_WAIT.includes(code));
  for (const code of ofSignIn) expect(auth.failures).toHaveProperty(WORDED[code as keyof typeof WORDED] ?? code);
});

test.each(LANGUAGES)("every fault of a parameter has words in %s", (language) => {
  expect(Object.keys(MESSAGES[language].faults.codes).sort()).toEqual([...FAULT_CODES].sort());
});

test("every rule of an input says its code, see `rule` of server/input/fault.ts", () => {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>;
  const seen = new Set<unknown>();
  const uncoded: string[] = [];
  const walk = (value: unknown, where: string) => {
    if (!(value instanceof Object) || seen.has(value)) return;
    seen.add(value);
    const definition = (value as { _zod?: { def: Record<string, unknown> } })._zod?.def;
    if (definition === undefined) {
      if (Array.isArray(value) || where.endsWith("shape")) {
        for (const [name, part] of Object.entries(value)) walk(part, `${where}.${name}`);
      }
      return;
    }
    const { type, check, params, fn } = definition as { params?: { fault?: unknown } } & Record<string, unknown>;
    if (type === "custom" && check === "custom" && fn !== undefined && params?.fault === undefined) uncoded.push(where);
    for (const [name, part] of Object.entries(definition)) walk(part, `${where}.${name}`);
  };
  for (const [name, { _def }] of Object.entries(procedures)) walk(_def.inputs, name);
  expect(uncoded).toEqual([]);
  expect(seen.size).toBeGreaterThan(100);
});
