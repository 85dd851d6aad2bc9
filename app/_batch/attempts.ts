/** A request for a change of many keys that was answered, and how many keys are as asked by it. */
export interface Attempt {
  requestId: string;
  count: number;
}

/** What the message after some attempts tells: how many keys are as asked, and which requests its button undoes. */
export function toldOf(attempts: readonly Attempt[]): { count: number; requestIds: string[] } {
  return {
    count: attempts.reduce((sum, attempt) => sum + attempt.count, 0),
    requestIds: attempts.filter(({ count }) => count > 0).map(({ requestId }) => requestId),
  };
}
