import type { Statement } from "./db/statement";
import { insertKey } from "./keys/statements/insert-key";

/** Every prepared statement of the process, so that tests can walk them all. */
export const statements: readonly Statement<never>[] = [insertKey];
