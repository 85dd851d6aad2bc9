/** Byte order mark. Without it, some programs do not read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** The media type of a file that begins with it. */
export const CSV_TYPE = "text/csv; charset=utf-8";

/** One line of a CSV file (RFC 4180). */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}

/** Puts an apostrophe before a text that a spreadsheet would run as a formula, because a name may come from anyone. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
