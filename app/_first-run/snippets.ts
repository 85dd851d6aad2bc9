/** The languages of the examples that call a model. */
export const SNIPPET_LANGUAGES = ["curl", "Python", "Node"] as const;

export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** Stands for the model in the examples; the reader writes the name of one. */
export const MODEL = "your-model";

/**
 * A program that calls a model through a gateway that speaks the protocol of OpenAI.
 * @param url the base address of the gateway, which has passed the rule of `gatewayUrl`.
 * @param key the whole value of a key: letters, digits, `-` and `_`.
 */
export function snippet(language: SnippetLanguage, url: string, key: string): string {
  switch (language) {
    case "curl":
      return `curl -sS "${url}/chat/completions" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${MODEL}", "messages": [{"role": "user", "content": "Hello"}]}'`;
    case "Python":
      return `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${url}", api_key="${key}")
answer = client.chat.completions.create(
    model="${MODEL}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`;
    case "Node":
      return `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${url}", apiKey: "${key}" });
const answer = await client.chat.completions.create({
  model: "${MODEL}",
  messages: [{ role: "user", content: "Hello" }],
});
console.log(answer.choices[0].message.content);`;
  }
}
