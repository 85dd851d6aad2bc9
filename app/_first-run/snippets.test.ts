import { transform } from "esbuild";
import { expect, test } from "vitest";
import { SNIPPET_LANGUAGES, snippet } from "./snippets";

const URL = "https://gateway.example.com/v1";
const KEY = "sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh";

test.each(SNIPPET_LANGUAGES)("the program in %s has the address and the key", (language) => {
  expect(snippet(language, URL, KEY)).toContain(URL);
  expect(snippet(language, URL, KEY)).toContain(KEY);
});

test("the program for Node.js is one", async () => {
  await expect(transform(snippet("Node", URL, KEY), { loader: "js" })).resolves.toMatchObject({ warnings: [] });
});
