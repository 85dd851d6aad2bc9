/** Tells programs that the file is UTF-8, which some take for something else otherwise. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** One line of a CSV file (RFC 4180). */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}

/** Text that a spreadsheet would take for a formula gets an apostrophe before it: a name may come from anyone. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
