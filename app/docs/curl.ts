import { examplesOf, type Operation, type Parameter } from "./document";

/**
 * A call of an operation for a shell, with the examples of its required parameters and of its body, and those of headers that
 * go together. The key is read from the variable `KEY`, as in docs/api.md.
 */
export function curlOf(origin: string, operation: Operation): string {
  const { method, path, parameters = [], requestBody, "x-example-headers": together = {} } = operation;
  const required = (place: string) => parameters.filter((parameter) => parameter.in === place && parameter.required);
  const filled = parameters.reduce(
    (text, parameter) => (parameter.in === "path" ? text.replace(`{${parameter.name}}`, encoded(parameter)) : text),
    path,
  );
  const query = required("query").map((parameter) => `${parameter.name}=${encoded(parameter)}`);
  const url = `${origin}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const body = requestBody && examplesOf(requestBody.content["application/json"])[0]?.value;
  return [
    `curl -sS ${method === "GET" ? "" : `-X ${method} `}"${url}"`,
    '-H "Authorization: Bearer $KEY"',
    ...required("header").map(({ name, example }) => headerOf(name, example)),
    ...Object.entries(together).map(([name, example]) => headerOf(name, example)),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

function headerOf(name: string, example: unknown): string {
  return `-H ${quoted(`${name}: ${example}`)}`;
}

function encoded({ example }: Parameter): string {
  return encodeURIComponent(String(example));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
