import { z } from "zod";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { nameText } from "../input/text";
import { unixTime } from "../input/unix-time";

/** Languages of the dashboard. */
const LANGUAGES = ["en", "zh-CN"] as const;

const timeZone = z
  .string({ error: expected("string") })
  .refine(isTimeZone, rule("unknown_time_zone", "must be an IANA time zone, for example Asia/Shanghai"))
  .meta({
    description: "IANA time zone in which the account's days and months begin and end.",
    examples: ["Asia/Shanghai"],
  });
const language = z
  .enum(LANGUAGES, { error: `must be one of ${LANGUAGES.join(", ")}, or null` })
  .meta({ description: "Language of the dashboard; that of the browser when not set.", examples: ["zh-CN"] })
  .nullable();

/** The account of the caller. */
export const account = z.object({
  account_id: z.string().meta({ description: "Identifier of the account.", examples: ["6920a1f0c3d4e5f60718293a"] }),
  email: z.string().meta({ description: "Address that the account signs in with.", examples: ["owner@example.com"] }),
  time_zone: timeZone,
  language,
  two_factor_enabled: z
    .boolean()
    .meta({ description: "Whether signing in with a password wants a second factor.", examples: [false] }),
  default_apikey_id: z
    .string()
    .meta({ description: "The first 10 characters of the account's default key.", examples: ["sk-AbC1234"] }),
  created_at: unixTime("Creation time"),
});

export type Account = z.infer<typeof account>;

/** A browser that is signed in. */
export const session = z.object({
  id: z.string(),
  /** Whether it is the browser of this request. */
  current: z.boolean(),
  address: z.string().nullable(),
  /** The `User-Agent` of the browser. */
  user_agent: z.string().nullable(),
  created_at: unixTime("Time of the sign-in"),
  last_used_at: unixTime("Time of the last use, to the hour"),
});

/** A passkey of the account. */
const passkey = z.object({ id: z.string(), name: z.string(), created_at: unixTime("Creation time") });

/** How the account signs in. */
export const signInMethods = z.object({
  has_password: z.boolean(),
  two_factor_enabled: z.boolean(),
  /** The identity at the provider of single sign-on that is linked; null when there is none. */
  single_sign_on: z.object({ linked_at: unixTime("Time of the link") }).nullable(),
  passkeys: z.array(passkey),
});

export const sessionReference = z.object({ session_id: z.string({ error: expected("string") }) });
export const passkeyReference = z.object({ passkey_id: z.string({ error: expected("string") }) });
export const passkeyName = passkeyReference.extend({ name: nameText });

/** Settings to change. An omitted one stays. */
export const accountSettings = z
  .object({ time_zone: timeZone.optional(), language: language.optional() })
  .refine(
    ({ time_zone, language }) => time_zone !== undefined || language !== undefined,
    rule("nothing_sent", "at least one setting is required: time_zone, language"),
  );

export type Session = z.infer<typeof session>;
export type SignInMethods = z.infer<typeof signInMethods>;

/** Whether it is a name of the IANA list. An offset is not. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
