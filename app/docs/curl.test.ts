import { expect, test } from "vitest";
import { curlOf } from "./curl";
import type { Operation } from "./document";

const parameter = (name: string, place: string, required: boolean, example: unknown) => ({
  name,
  in: place,
  required,
  example,
  schema: {},
});

const operation: Operation = {
  id: "setApiKeyLimits",
  operationId: "setApiKeyLimits",
  summary: "",
  description: "",
  tags: [],
  security: [],
  method: "POST",
  path: "/v1/apikeys/{apikey_id}/budget",
  answers: [],
  sharedErrors: [],
};

test("a call has the path, the required parameters and the body", () => {
  const curl = curlOf("https://keys.example.com", {
    ...operation,
    parameters: [
      parameter("apikey_id", "path", true, "sk-AbC1234"),
      parameter("day", "query", true, "a b"),
      parameter("page", "query", false, 1),
      parameter("Allowance-Amount", "header", true, 1.5),
    ],
    requestBody: { content: { "application/json": { example: { name: "it's" } } } },
  });
  expect(curl).toBe(
    [
      'curl -sS -X POST "https://keys.example.com/v1/apikeys/sk-AbC1234/budget?day=a%20b"',
      '-H "Authorization: Bearer $KEY"',
      "-H 'Allowance-Amount: 1.5'",
      '-H "Content-Type: application/json"',
      `-d '{"name":"it'\\''s"}'`,
    ].join(" \\\n  "),
  );
});

test("headers of which none is always required are those that go together", () => {
  const curl = curlOf("http://localhost:8080", {
    ...operation,
    method: "GET",
    path: "/v1/authorizations/check",
    parameters: [
      parameter("Allowance-Amount", "header", false, 1.5),
      parameter("Allowance-Model", "header", false, "m"),
    ],
    "x-example-headers": { "Allowance-Amount": 2.5 },
  });
  expect(curl).toBe(
    [
      'curl -sS "http://localhost:8080/v1/authorizations/check"',
      '-H "Authorization: Bearer $KEY"',
      "-H 'Allowance-Amount: 2.5'",
    ].join(" \\\n  "),
  );
});

test("a read has neither method nor body", () => {
  expect(curlOf("http://localhost:8080", { ...operation, method: "GET", path: "/v1/account" })).toBe(
    'curl -sS "http://localhost:8080/v1/account" \\\n  -H "Authorization: Bearer $KEY"',
  );
});
