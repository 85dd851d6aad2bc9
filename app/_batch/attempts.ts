/** A request for a change of many keys that was answered, and how many keys are as asked by it. */
export interface Attempt {
  requestId: string;
  count: number;
}

/**
 * What the message after some attempts tells: how many keys are as asked, and which request its button undoes. A button undoes
 * one change. Where there are more, it has none, and the history has each.
 */
export function toldOf(attempts: readonly Attempt[]): { count: number; requestId: string | undefined } {
  const [first, ...others] = attempts.filter(({ count }) => count > 0);
  const count = attempts.reduce((sum, attempt) => sum + attempt.count, 0);
  return { count, requestId: others.length === 0 ? first?.requestId : undefined };
}
