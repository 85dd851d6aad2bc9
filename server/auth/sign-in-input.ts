import { z } from "zod";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { atMost, nameText } from "../input/text";

const LONGEST_TEXT = 4096;

const text = atMost(z.string({ error: expected("string") }), LONGEST_TEXT).refine(
  (value) => !value.includes("\0") && value.isWellFormed(),
  rule("nul_character", "must not contain the character NUL or half of a surrogate pair"),
);

const form = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape, { error: expected("object") });

/** What every passkey has, when it is made and when it is used. */
const passkey = <Shape extends z.ZodRawShape>(response: Shape) =>
  form({
    response: form({
      id: text,
      rawId: text,
      type: text,
      clientExtensionResults: form({}).optional(),
      response: form({ clientDataJSON: longText(), ...response }),
    }),
  });

/**
 * The form of the body of each endpoint of better-auth that has one, by its path, or of its query. better-auth checks less, or later, and
 * answers some wrong forms as if the server were at fault. Set-up and sign-up check their body themselves. A parameter
 * that is not named here passes: better-auth checks those that it knows.
 */
export const SIGN_IN_FORMS: ReadonlyMap<string, z.ZodType<Record<string, unknown>>> = new Map(
  Object.entries({
    "/sign-in/email": form({ email: text, password: text }),
    "/sign-in/social": form({ provider: text, callbackURL: text.optional() }),
    "/link-social": form({ provider: text, callbackURL: text.optional() }),
    "/callback/oidc": form({ code: text.optional(), state: text.optional() }),
    "/change-password": form({ currentPassword: text, newPassword: text }),
    "/two-factor/enable": form({ password: text.optional() }),
    "/two-factor/disable": form({ password: text.optional() }),
    "/two-factor/generate-backup-codes": form({ password: text.optional() }),
    "/two-factor/verify-totp": form({ code: text }),
    "/two-factor/verify-backup-code": form({ code: text }),
    "/passkey/verify-registration": passkey({
      attestationObject: longText(),
      transports: z.array(text, { error: expected("array") }).optional(),
    }).extend({ name: nameText.optional() }),
    "/passkey/verify-authentication": usedPasskey(),
    "/prove/password": form({ password: text }),
    "/prove/passkey": usedPasskey(),
  }),
);

function usedPasskey() {
  return passkey({ authenticatorData: longText(), signature: text, userHandle: text.nullish() });
}

/** A part of a passkey: the body as a whole bounds its length. */
function longText() {
  return z.string({ error: expected("string") });
}
