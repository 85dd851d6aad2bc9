/** A name for the middle of a sentence: written from right to left, it keeps the words around it in their order. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
