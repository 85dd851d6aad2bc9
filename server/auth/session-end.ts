/** How long a browser stays signed in at most, in seconds: 30 days. Without use it ends sooner (`SESSION_IDLE_DAYS`). */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** When a new session ends while it is not used. */
export function idleEnd(idleDays: number): Date {
  return new Date(Date.now() + Math.min(idleDays * 24 * 60 * 60, SESSION_SECONDS) * 1000);
}
