import { readFileSync } from "node:fs";

/** The program that the examples of a language in a README make together, for the product at `url`. */
export function programOf(readme: string, language: string, url: string): string {
  const blocks = readFileSync(readme, "utf8").matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"));
  return [...blocks]
    .map(([, code]) => code)
    .join("\n")
    .replaceAll("http://localhost:3000", url);
}
