import { ConfigError, readConfig } from "../config";
import { withUrls } from "../db/command";
import { withClient } from "../db/with-client";
import { databaseFault } from "./database-fault";
import { DATABASE_CHECKS, type Patient } from "./doctor/database";
import { type Finding, failed, ok, SEE_CAUSES, type Verdict } from "./doctor/finding";
import { checkConfiguration, checkDisk, checkFolder, checkSecret } from "./doctor/machine";
import { isDatabaseMade } from "./made-database";
import type { Output } from "./output";
import { openProgressBar } from "./progress-bar";

/**
 * Checks what Allowance needs, one line each, and changes nothing. The exit code is 1 when something failed. It works with and
 * without a running server.
 */
export async function run(_: object, output: Output): Promise<void> {
  let hasFailed = false;
  const note = (check: string, verdict: Verdict) => {
    hasFailed ||= verdict.state === "failed";
    const finding: Finding = { check, ...verdict };
    if (output.isForPeople) output.remark(lineOf(finding));
    else output.facts({ ...finding });
  };
  await examine(note);
  process.exitCode = hasFailed ? 1 : 0;
}

async function examine(note: (check: string, verdict: Verdict) => void): Promise<void> {
  let config: Patient["config"];
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    note("configuration", failed(error.message, "correct the environment; .env.example says what each variable means"));
    return;
  }
  note("configuration", checkConfiguration(config));
  note("secret", await checkSecret(config));
  note("disk", await checkDisk(config));
  if (!(await isDatabaseMade(config))) {
    note("database", await checkFolder(config));
    return;
  }
  const reaching = { reached: false };
  try {
    await withUrls(config, "command", (urls) =>
      withClient(urls.url, "allowance doctor", (client) =>
        withClient(urls.ownerUrl, "allowance doctor", async (owner) => {
          reaching.reached = true;
          note("database", ok("it can be reached"));
          await examineDatabase({ client, owner, urls, config, onProgress: () => {} }, note);
        }),
      ),
    );
  } catch (error) {
    if (reaching.reached) throw error;
    const found = databaseFault(error) ?? (error as Error).message;
    note("database", failed(found, SEE_CAUSES));
  }
}

async function examineDatabase(patient: Patient, note: (check: string, verdict: Verdict) => void): Promise<void> {
  for (const [name, check] of Object.entries(DATABASE_CHECKS)) {
    const bar = name === "books" ? openProgressBar() : undefined;
    const verdict = await check({ ...patient, onProgress: bar?.onProgress ?? patient.onProgress }).catch(
      (error: unknown) =>
        failed(
          `could not be checked: ${databaseFault(error) ?? (error as Error).message}`,
          "see whether the lines above say why",
        ),
    );
    bar?.close();
    note(name, verdict);
  }
}

const WIDTH = Math.max(...["configuration", ...Object.keys(DATABASE_CHECKS)].map(({ length }) => length));

function lineOf({ check, state, found, todo }: Finding): string {
  return `${state.padEnd("warning".length)}  ${check.padEnd(WIDTH)}  ${found}${todo === null ? "" : `. To do: ${todo}`}`;
}
