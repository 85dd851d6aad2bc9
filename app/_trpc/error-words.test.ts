import { expect, test } from "vitest";
import { errors } from "@/server/errors/catalogue";
import type { Failure } from "@/server/errors/failure";
import en from "../_messages/en.json";

/** The sentences of these are made of faults or numbers that only the server knows. */
const IN_THE_SERVERS_WORDS = ["invalid_input", "call_refused"];

test("every error that a procedure can answer with has words in the dashboard", () => {
  const makers = Object.values(errors) as ((...values: string[]) => Failure)[];
  const codes = makers.map((make) => make("1", "2", "3").code);
  expect(Object.keys(en.errors).sort()).toEqual(codes.filter((code) => !IN_THE_SERVERS_WORDS.includes(code)).sort());
});
