/** Starts the server in this process. */
export async function run(): Promise<void> {
  // The listener of the commands ends the process. The server serves on when nobody reads what it prints.
  process.stdout.removeAllListeners("error");
  await import("../main");
}
