const MOST_LINES = 4;
/** What PostgreSQL writes for each connection that comes too early or too late. */
const NO_COMPLAINT = /the database system is (starting up|shutting down|not yet accepting)/;
/** What PostgreSQL and its programs write when they end, or when it ends one of its processes. */
const COMPLAINT =
  /^initdb: error: |(FATAL|PANIC|ERROR|WARNING|HINT): |LOG: .*(could not|terminated by signal|exited with exit code|in file "|for parameter|configuration parameter)|^postgres: /;

/** The last complaints of PostgreSQL in a text that it has written. Where there are none, the last lines. */
export function lastComplaints(text: string): string[] {
  const lines = text.trim().split("\n");
  const complaints = lines.filter((line) => COMPLAINT.test(line) && !NO_COMPLAINT.test(line));
  return (complaints.length > 0 ? complaints : lines).slice(-MOST_LINES);
}
