import { z } from "zod";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { keyId } from "../input/key-id";
import { language } from "../input/language";
import { objectId } from "../input/object-id";
import { atMost, nameText } from "../input/text";
import { timeZone } from "../input/time-zone";
import { unixTime } from "../input/unix-time";

const MAX_GATEWAY_URL = 500;

/**
 * The address of a gateway, as clients of the models are configured with it: `https://gateway.example.com/v1`. It stands in
 * commands and programs that are copied, so it has no character that a shell or a program could read as its own.
 */
export const gatewayUrl = atMost(z.string({ error: expected("string") }).trim(), MAX_GATEWAY_URL)
  .refine(
    isPlainAddress,
    rule(
      "gateway_address",
      "must be http:// or https://, a host and perhaps a path, without a password, a query or a fragment",
    ),
  )
  .overwrite((url) => url.replace(/\/+$/, ""));

const gatewayAddress = gatewayUrl
  .meta({
    description:
      "Address of the gateway that the keys are used at, as clients of the models have it; that of the operator (`GATEWAY_URL`) when not set.",
    examples: ["https://gateway.example.com/v1"],
  })
  .nullable();

/** The account of the caller. */
export const account = z
  .object({
    account_id: objectId.meta({ description: "Identifier of the account.", examples: ["6920a1f0c3d4e5f60718293a"] }),
    email: z.string().meta({ description: "Address that the account signs in with.", examples: ["owner@example.com"] }),
    time_zone: timeZone,
    language,
    gateway_url: gatewayAddress,
    two_factor_enabled: z
      .boolean()
      .meta({ description: "Whether signing in with a password wants a second factor.", examples: [false] }),
    default_apikey_id: keyId.meta({
      description: "The first 10 characters of the account's default key.",
      examples: ["sk-AbC1234"],
    }),
    created_at: unixTime("Creation time"),
  })
  .meta({ id: "Account", description: "An account and its settings." });

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
  .object({ time_zone: timeZone.optional(), language: language.optional(), gateway_url: gatewayAddress.optional() })
  .refine(
    (settings) => Object.values(settings).some((setting) => setting !== undefined),
    rule("nothing_sent", "at least one setting is required: time_zone, language, gateway_url"),
  );

const step = (meaning: string) => z.boolean().meta({ description: meaning, examples: [true] });

/** What a new account does first, and which of it is done. */
export const firstSteps = z
  .object({
    group: step("Whether the account has made a group."),
    key: step("Whether it has made a key besides its default key."),
    gateway: step("Whether the address of its gateway is known."),
    call: step("Whether a call was authorized with one of its keys."),
  })
  .meta({ id: "FirstSteps" });

export type FirstSteps = z.infer<typeof firstSteps>;

export type Session = z.infer<typeof session>;
export type SignInMethods = z.infer<typeof signInMethods>;

function isPlainAddress(text: string): boolean {
  if (!/^https?:\/\/[\w.~:/[\]%-]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
