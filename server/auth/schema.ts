import { z } from "zod";
import { expected } from "../input/expectation";
import { language } from "../input/language";
import { atMost } from "../input/text";
import { timeZone } from "../input/time-zone";
import type { AccountId } from "./account-id";

/** Length of a password, in characters. */
export const PASSWORD_LENGTH = { min: 12, max: 128 };

const NO_EMAIL = "must be an email address of at most 254 characters";

/** The email address of an account. Letter case makes no difference. */
export const emailAddress = z
  .string({ error: expected("string") })
  .trim()
  .toLowerCase()
  .pipe(z.email({ error: NO_EMAIL }).max(254, { error: NO_EMAIL }));

/** A password that is set. How strong it must be besides, password-strength.ts says. */
export const newPassword = atMost(
  z
    .string({ error: expected("string") })
    .min(PASSWORD_LENGTH.min, { error: `must be at least ${PASSWORD_LENGTH.min} characters long` }),
  PASSWORD_LENGTH.max,
);

/** Input of a sign-up. */
export const signUpInput = z.object({
  email: emailAddress,
  password: newPassword,
  time_zone: timeZone.optional(),
  language: language.optional(),
});

/** Input of the set-up, which creates the first account. */
export const setUpInput = signUpInput.extend({ token: z.string({ error: expected("string") }) });

/** A new account and the value of its default key, which is shown this once. */
export interface CreatedAccount {
  account_id: AccountId;
  email: string;
  apikey: string;
}

/** The ways to sign in besides password and passkey, for the sign-in page. */
export interface SignInOptions {
  /** Whether anyone may make an account. */
  sign_up: boolean;
  /** The label of the button of single sign-on; `null` when there is no single sign-on. */
  single_sign_on: string | null;
}
