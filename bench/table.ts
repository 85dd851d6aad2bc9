/** A table in Markdown. Each column is as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [head, rule, ...rows].map(line).join("\n");
}

/** A whole number with commas between the thousands. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Bytes in units that people read. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
}
