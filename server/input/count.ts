/** "1 connection", "3 connections". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** "1 API key", "3 API keys". */
export function countOfKeys(count: number): string {
  return countOf(count, "API key");
}
