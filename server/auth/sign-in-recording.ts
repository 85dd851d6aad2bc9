import type { Logger } from "pino";
import { BatchQueue } from "../batch-queue";
import type { Database } from "../db/client";
import { type CountedAttempts, countAttempts, recordEvent } from "../history/recording";
import { countSignIn } from "../metrics/sign-ins";
import type { AccountId } from "./account-id";
import { methodOf, nameOfMethod, type SignInMethodName, type Visit } from "./recording";

/** The second factor that a path takes. */
export const SECOND_FACTORS: Record<string, string> = {
  "/two-factor/verify-totp": "totp",
  "/two-factor/verify-backup-code": "backup_code",
};
/** The paths at which an attempt to sign in may fail for an account that is known. */
const ATTEMPTS = new Set(["/sign-in/email", "/passkey/verify-authentication", ...Object.keys(SECOND_FACTORS)]);

const MOST_AT_ONCE = 256;

/** An attempt to sign in that was refused: by whom, and whether it was not even tried. */
interface Refusal extends Omit<CountedAttempts, "attempts"> {
  account: { id: string } | { email: string };
  address: string | null;
}

/** Writes sign-ins to the history: those that succeed one by one, and those that are refused as counts. */
export class SignInRecording {
  readonly #refusals: BatchQueue<Refusal, undefined>;

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {
    // One connection at a time, and one statement for all that wait, so that a flood of attempts costs others little.
    this.#refusals = new BatchQueue<Refusal, undefined>({
      queue: "refused_sign_ins",
      nameOf: nameOfRefusal,
      shardOf: () => "",
      work: (refusals) => this.#count(refusals),
      mayTryAgain: () => false,
      mostAtOnce: MOST_AT_ONCE,
      lanes: 1,
    });
  }

  /**
   * Records the sign-in that a successful request has completed. It is awaited before the browser gets its cookie, so that
   * nobody is signed in without it.
   * @returns the account; undefined when the request has signed nobody in.
   */
  async recordSuccess({ path, address, accountId, isOpened, isSignedIn, pending }: Visit): Promise<string | undefined> {
    const secondFactor = SECOND_FACTORS[path];
    // A change of the password or of the second factor opens a new session too.
    const isSignIn = secondFactor === undefined ? SIGN_INS.has(path) : !isSignedIn;
    if (!isOpened || !isSignIn || accountId === undefined) return undefined;
    const method = pending === undefined ? methodOf(path) : await this.#methodOfPending(pending);
    countSignIn(method, "succeeded");
    const after = { method, ...(method !== "passkey" && { second_factor: secondFactor ?? null }) };
    const account = await this.db.prisma.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { email: true },
    });
    const actor = { kind: "browser", name: account.email, address } as const;
    await recordEvent(this.db.prisma, accountId as AccountId, actor, { action: "sign_in.signed_in", after });
    return accountId;
  }

  /**
   * Counts an attempt that was refused, where it was for an account. Nobody waits for this, so that the answer takes the
   * same time whether there is an account or not.
   */
  noteRefusal({ path, address, accountId, email, isSignedIn }: Visit, status: number): void {
    const isSecondFactor = path in SECOND_FACTORS;
    // A browser that is signed in presents a second factor to turn it on.
    const isAttempt = ATTEMPTS.has(path) && !(isSecondFactor && isSignedIn);
    // A password is wrong with 401. Other statuses say that the request was malformed.
    const isRefused = path === "/sign-in/email" ? status === 401 || status === 429 : status < 500;
    if (!isAttempt || !isRefused) return;
    const method = isSecondFactor ? "second_factor" : methodOf(path);
    countSignIn(method, status === 429 ? "locked_out" : "failed");
    const account = accountId !== undefined ? { id: accountId } : email !== undefined ? { email } : undefined;
    if (account === undefined) return;
    const action = status === 429 ? "sign_in.locked_out" : "sign_in.failed";
    this.#refusals.run({ account, address, action, method }).catch((error: unknown) => {
      this.log.warn({ err: error }, "attempts to sign in are not in the history");
    });
  }

  async #methodOfPending(pending: string): Promise<SignInMethodName> {
    const found = await this.db.prisma.verification.findFirst({ where: { identifier: nameOfMethod(pending) } });
    return (found?.value as SignInMethodName | undefined) ?? "password";
  }

  async #count(refusals: Refusal[]): Promise<undefined[]> {
    const { prisma } = this.db;
    const alike = new Map<string, { refusal: Refusal; attempts: number }>();
    for (const refusal of refusals) {
      const name = nameOfRefusal(refusal);
      // The address is that of the last attempt.
      alike.set(name, { refusal, attempts: (alike.get(name)?.attempts ?? 0) + 1 });
    }
    for (const { refusal, attempts } of alike.values()) {
      const { account, address, action, method } = refusal;
      const found = await prisma.account.findUnique({ where: account, select: { id: true, email: true } });
      if (!found) continue;
      const actor = { kind: "browser", name: found.email, address } as const;
      await countAttempts(prisma, found.id as AccountId, actor, { action, method, attempts });
    }
    return refusals.map(() => undefined);
  }
}

/** The paths at which a session is opened for a person who was not signed in. */
const SIGN_INS = new Set(["/sign-in/email", "/callback/oidc", "/passkey/verify-authentication", "/set-up", "/sign-up"]);

function nameOfRefusal({ account, action, method }: Refusal): string {
  return `${action} ${method} ${"id" in account ? account.id : account.email}`;
}
