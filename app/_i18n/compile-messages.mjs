import compile from "icu-minify/compile";

/**
 * A loader of the build: from a JSON file of messages makes a module with the same messages compiled, so that neither the server
 * nor the browser parses them. `use-intl/format-message/format-only` formats these.
 * @param {string} source
 */
export default function compileMessages(source) {
  const compiled = JSON.stringify(
    JSON.parse(source, (_, value) => (typeof value === "string" ? compile(value) : value)),
  );
  return `export default JSON.parse(${JSON.stringify(compiled)});`;
}
