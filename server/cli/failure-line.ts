import { AccountError } from "../auth/accounts";
import { GatewayError } from "../auth/gateway-queries";
import { BackupError } from "../backup/backup-file";
import { HasData, OutcomeUnknown } from "../backup/restore";
import { ConfigError } from "../config";
import { DistributeError } from "../db/distribute";
import { databaseFault } from "./database-fault";
import { Refusal } from "./refusal";

/** Errors whose messages are whole sentences for an operator: nothing was begun. */
const REFUSALS = [AccountError, GatewayError, ConfigError, DistributeError, Refusal];

/**
 * The one line that a failed command prints.
 * @param outcome what became of the work, for example "nothing was created".
 */
export function failureLine(error: unknown, outcome: string): string {
  if (!(error instanceof Error)) return `${outcome}: ${String(error)}`;
  if (REFUSALS.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof HasData) return `${error.message}; ${outcome}. --overwrite replaces them`;
  if (error instanceof OutcomeUnknown)
    return `${error.message}, so either all of the backup was restored or none of it; restore it again with --overwrite`;
  if (error instanceof BackupError) return `${error.message}; ${outcome}`;
  const { code, path, syscall }: NodeJS.ErrnoException = error;
  if (path !== undefined && syscall !== "connect") {
    return code === "EEXIST" ? `there is a file of this name already; ${outcome}` : `${outcome}: ${path}: ${code}`;
  }
  const fault = databaseFault(error);
  return fault === undefined ? `${outcome}: ${error.message}` : `${fault}; ${outcome}`;
}
