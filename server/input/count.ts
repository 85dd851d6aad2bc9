/** "1 API key", "3 API keys". */
export function countOfKeys(count: number): string {
  return `${count} API key${count === 1 ? "" : "s"}`;
}
