/** Starts the server in this process. */
export async function run(): Promise<void> {
  await import("../main");
}
