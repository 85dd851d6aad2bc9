import { Command, type CommanderError } from "commander";
import packageFile from "@/package.json" with { type: "json" };
import { Output } from "./output";
import { faultOf, UsageError } from "./usage";

// The command line of Allowance. What a command needs is loaded when it runs, so that --help and --version are quick.
// docs/operations.md#commands lists the commands and the exit codes.

/** What a command's file has: the work, with the options by their names, and the words behind them. */
interface Module {
  // biome-ignore lint/suspicious/noExplicitAny: each command names the options that allowance.ts declares for it.
  run(options: any, output: Output, ...words: string[]): Promise<void>;
}

/** Exit codes: docs/operations.md#commands. */
const WRONG_USAGE = 2;
/** Commands that are older than this command line answer wrong usage like a failure, because scripts may rely on it. */
const FAILED = 1;

const usageCodes = new Map<Command, number>();
/** Whether the command that runs prints a secret, which nobody can read again. */
let showsOnce = false;
let isOutputLost = false;

const program = group(new Command("allowance"))
  .description("API keys with spending limits that hold.")
  .version(packageFile.version)
  .addHelpText(
    "after",
    examples("start", "account create --email owner@example.com", "doctor", "account list --json | jq -r .email"),
  );

leaf(program, "start", "start the server, with the settings of the environment")
  .addHelpText("after", examples("start"))
  .action(running(() => import("./start"), "the server did not start"));

const account = group(program.command("account")).description(
  "accounts: create, list, recover, disable, enable, delete",
);
leaf(account, "create", "create an account, and print its default key and password, this once", FAILED)
  .usage("--email <address> [--password-stdin] [--json]")
  .option("--email <address>", "email of the owner, who signs in with it")
  .option("--password-stdin", "read the password from the standard input instead of making one")
  .addHelpText("after", examples("account create --email owner@example.com"))
  .action(running(() => import("./account-create"), "nothing was created", true));
leaf(account, "recover", "give an account a new password, and end its sessions and lock-outs", FAILED)
  .usage("--email <address> [--password-stdin] [--second-factor-off] [--json]")
  .option("--email <address>", "email of the owner")
  .option("--password-stdin", "read the password from the standard input instead of making one")
  .option("--second-factor-off", "turn the second factor off too")
  .addHelpText("after", examples("account recover --email owner@example.com --second-factor-off"))
  .action(running(() => import("./account-recover"), "nothing was changed", true));

leaf(account, "list", "list every account, the oldest first: id, email, creation, keys, state")
  .addHelpText("after", examples("account list", "account list --json | jq -r .email"))
  .action(running(() => import("./account-list"), "nothing was listed"));
leaf(account, "disable", "refuse the keys and the owner of an account from now on, and end its sessions")
  .argument("<ACCOUNT>", "email or id of the account")
  .usage("ACCOUNT [--json]")
  .addHelpText("after", examples("account disable owner@example.com"))
  .action(running(() => import("./account-disable"), "nothing was changed"));
leaf(account, "enable", "let the keys and the owner of an account in again")
  .argument("<ACCOUNT>", "email or id of the account")
  .usage("ACCOUNT [--json]")
  .addHelpText("after", examples("account enable owner@example.com"))
  .action(running(() => import("./account-enable"), "nothing was changed"));

leaf(account, "delete", "delete an account and everything it has, for good")
  .argument("<ACCOUNT>", "email or id of the account")
  .usage("ACCOUNT [--yes] [--discard-held] [--json]")
  .option("--yes", "do not ask; needed where there is no terminal")
  .option("--discard-held", "delete it although authorizations are held; their cost can then not be captured")
  .addHelpText("after", examples("account delete owner@example.com", "account delete owner@example.com --yes"))
  .action(running(() => import("./account-delete"), "the account is not deleted; run the command again to go on"));

const key = group(program.command("key")).description("keys: rotate-default");
leaf(key, "rotate-default", "give the default key of an account another value, and print it, this once")
  .argument("<ACCOUNT>", "email or id of the account")
  .usage("ACCOUNT [--grace [seconds]] [--json]")
  .option("--grace [seconds]", "let the old value work for so long; an hour without a number")
  .addHelpText("after", examples("key rotate-default owner@example.com --grace 600"))
  .action(running(() => import("./key-rotate-default"), "nothing was changed", true));

const gateway = group(program.command("gateway")).description("tokens of gateways: create, list, revoke");
leaf(gateway, "create", "make a token for a gateway, and print it, this once", FAILED)
  .usage("--name <name> [--accounts <ids>] [--expires <day>] [--json]")
  .option("--name <name>", "name of the gateway, for example eu-1")
  .option("--accounts <ids>", "ids of the accounts it serves, separated by commas; all accounts without it")
  .option("--expires <day>", "last valid day, YYYY-MM-DD, in UTC")
  .addHelpText("after", examples("gateway create --name eu-1 --expires 2027-01-31"))
  .action(running(() => import("./gateway-create"), "nothing was created", true));
leaf(gateway, "list", "list the tokens of gateways, without the tokens themselves", FAILED)
  .addHelpText("after", examples("gateway list"))
  .action(running(() => import("./gateway-list"), "nothing was listed"));
leaf(gateway, "revoke", "revoke the token of a gateway at once", FAILED)
  .usage("--name <name> [--json]")
  .option("--name <name>", "name of the gateway")
  .addHelpText("after", examples("gateway revoke --name eu-1"))
  .action(running(() => import("./gateway-revoke"), "nothing was revoked"));

const models = group(program.command("models")).description("prices of models: import, list, delete, history");
leaf(models, "import", "set prices of models from LiteLLM's JSON or from CSV; - is the standard input")
  .argument("<FILE>", "the file, or - for the standard input")
  .usage(
    "FILE|- [--format litellm|csv] [--currency <code> --rate <yuan>] [--valid-from <day>] [--replace] [--dry-run] [--account <email>] [--json]",
  )
  .option("--format <format>", "litellm or csv; without it, what begins with { is litellm")
  .option("--currency <code>", "currency of prices that name none; USD for litellm, CNY for csv")
  .option("--rate <yuan>", "yuan for one unit of that currency, for example 7.2")
  .option("--valid-from <day>", "first day of prices that name none, YYYY-MM-DD")
  .option("--replace", "delete the prices with this first day that the file does not have")
  .option("--dry-run", "change nothing, and say what would change")
  .option("--account <email>", "prices of this account instead of the operator's, which count for all")
  .addHelpText(
    "after",
    examples(
      "models import model_prices_and_context_window.json --rate 7.2 --replace --dry-run",
      "models import prices.csv --account owner@example.com",
    ),
  )
  .action(running(() => import("./models-import"), "nothing was changed"));
leaf(models, "list", "list the prices of the operator's catalogue, or those of an account itself")
  .usage("[--account <email>] [--json]")
  .option("--account <email>", "prices of this account instead of the operator's")
  .addHelpText("after", examples("models list", "models list --json | jq -r .name"))
  .action(running(() => import("./models-list"), "nothing was listed"));
leaf(models, "delete", "delete the prices of a name from the operator's catalogue, or from that of an account")
  .argument("<NAME>", "name or pattern, as the list shows it")
  .usage("NAME [--valid-from <day>] [--account <email>] [--json]")
  .option("--valid-from <day>", "only the price with this first day, YYYY-MM-DD")
  .option("--account <email>", "prices of this account instead of the operator's")
  .addHelpText("after", examples("models delete example-large", "models delete 'example-*' --valid-from 2026-12-01"))
  .action(running(() => import("./models-delete"), "nothing was changed"));
leaf(models, "history", "list what was changed in the operator's catalogue, newest first")
  .usage("[--name <text>] [--limit <number>] [--json]")
  .option("--name <text>", "only models whose names have this text")
  .option("--limit <number>", "how many changes", "100")
  .addHelpText("after", examples("models history --name example-large"))
  .action(running(() => import("./models-history"), "nothing was listed"));

leaf(program, "audit", "compare counters, totals, ledger and authorizations; exit 1 when they differ", FAILED)
  .addHelpText("after", examples("audit"))
  .action(running(() => import("./audit"), "nothing was audited"));
leaf(program, "backup", "write the whole database, as it is at one moment, into a file", FAILED)
  .argument("<FILE>", "a file that does not exist yet")
  .usage("FILE [--json]")
  .addHelpText("after", examples("backup /backups/allowance-2026-11-21.backup"))
  .action(running(() => import("./backup"), "no backup was made"));
leaf(program, "restore", "put a backup in the place of everything in the database", FAILED)
  .argument("<FILE>", "a file that backup has made")
  .usage("FILE [--overwrite] [--json]")
  .option("--overwrite", "replace the accounts that are in the database")
  .addHelpText("after", examples("restore /backups/allowance-2026-11-21.backup"))
  .action(running(() => import("./restore"), "nothing was changed"));
leaf(program, "migrate", "apply the migrations that the database does not have, and say which")
  .addHelpText("after", examples("migrate"))
  .action(running(() => import("./migrate"), "nothing was migrated"));
leaf(program, "distribute", "distribute the tables over the workers of the Citus cluster that DATABASE_URL names")
  .addHelpText("after", examples("distribute"))
  .action(running(() => import("./distribute"), "nothing was changed"));
leaf(program, "doctor", "check what Allowance needs, one line each; exit 1 when something failed")
  .addHelpText("after", examples("doctor", "doctor --json | jq 'select(.state != \"ok\")'"))
  .action(running(() => import("./doctor"), "not everything was checked"));
leaf(program, "seed", "create a demo account with groups, keys, a history and prices of example models", FAILED)
  .usage("[--keys <number>] [--groups <number>] [--email <address>] [--seed <number>] [--json]")
  .option("--keys <number>", "how many keys", "1000")
  .option("--groups <number>", "how many groups", "200")
  .option("--email <address>", "email of the account", "demo@example.com")
  .option("--seed <number>", "the same number makes the same keys", "1")
  .addHelpText("after", examples("seed --keys 100000"))
  .action(
    running(
      () => import("./seed"),
      "the seed is not complete; account delete removes its account, if it is there",
      true,
    ),
  );

process.stdout.on("error", loseOutput);
await program.parseAsync();

/** A command that has commands. Without one of them it prints its help. */
function group(command: Command): Command {
  return set(command, WRONG_USAGE);
}

/** A command that does something. */
function leaf(parent: Command, name: string, description: string, usageCode = WRONG_USAGE): Command {
  const command = set(parent.command(name), usageCode).description(description);
  return command.option("--json", "print JSON, one line for each thing, as in a pipe");
}

/** The style that all commands have in common. */
function set(command: Command, usageCode: number): Command {
  usageCodes.set(command, usageCode);
  return command
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .helpCommand(false)
    .exitOverride((error) => leave(error, command));
}

/** Ends the process after help, the version, or a command line that commander does not understand. */
function leave(error: CommanderError, command: Command): never {
  if (error.exitCode === 0) process.exit(0);
  // It is the help, which commander has printed on stderr, because a command is missing.
  if (error.code !== "commander.help") process.stderr.write(`${faultOf(error)}; ${usageOf(command)}\n`);
  process.exit(usageCodes.get(command));
}

/**
 * The action of a command: loads its file and runs it. An error becomes one line.
 * @param outcome what became of the work when it fails.
 * @param printsSecret whether it prints a secret, this once.
 */
function running(load: () => Promise<Module>, outcome: string, printsSecret = false): (this: Command) => Promise<void> {
  return async function (this: Command) {
    showsOnce = printsSecret;
    const { json = false, ...options } = this.opts();
    try {
      refuseEmpty(this);
      const { run } = await load();
      await run(options, new Output(process.stdout.isTTY === true && !json), ...this.args);
    } catch (error) {
      if (error instanceof UsageError) {
        process.stderr.write(`${error.message}; ${usageOf(this)}\n`);
        process.exitCode = usageCodes.get(this) ?? WRONG_USAGE;
        return;
      }
      const { failureLine } = await import("./failure-line");
      process.stderr.write(`${failureLine(error, outcome)}\n`);
      process.exitCode = FAILED;
    }
  };
}

/**
 * An empty argument is a missing one: a variable of the shell is not set.
 * @throws {UsageError} which names it.
 */
function refuseEmpty({ registeredArguments, args }: Command): void {
  const empty = registeredArguments.find((_, place) => args[place] === "");
  if (empty !== undefined) throw new UsageError(`${empty.name()}: required`);
}

/** Says that the output cannot be written. Commands print when their work is done, so it stays done. */
function loseOutput({ code }: NodeJS.ErrnoException): void {
  // A reader such as `head` may close the pipe when it has seen enough. The command goes on, because it stops the embedded
  // database at its end. Nobody has seen enough of a secret that is lost.
  if (code === "EPIPE" && !showsOnce) return;
  process.exitCode = FAILED;
  if (isOutputLost) return;
  isOutputLost = true;
  const loss = showsOnce ? ", and the secret that is shown once is lost" : "";
  process.stderr.write(`the output could not be written (${code}); the work is done${loss}\n`);
}

function usageOf(command: Command): string {
  return `usage: ${command.createHelp().commandUsage(command)}`;
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ npx allowance ${line}`).join("\n")}`;
}
