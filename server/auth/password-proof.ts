import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from "better-auth/api";
import { z } from "zod";
import { requestErrors } from "../errors/request-errors";
import { expected } from "../input/expectation";
import { PASSWORD_LENGTH } from "./schema";

const input = z.object({ password: z.string({ error: expected("string") }) });

/** The endpoint that checks the password of the account that is signed in. It changes nothing by itself. */
export function passwordProof() {
  return {
    id: "password-proof",
    endpoints: {
      provePassword: createAuthEndpoint(
        "/prove/password",
        { method: "POST", body: input, use: [sensitiveSessionMiddleware] },
        async (ctx) => {
          const { internalAdapter, password: hashing, session } = ctx.context;
          const { password } = ctx.body;
          const hash = (await internalAdapter.findCredentialAccount(session.user.id))?.password;
          const isRight = hash && password.length <= PASSWORD_LENGTH.max && (await hashing.verify({ hash, password }));
          if (!isRight) {
            const { code, message } = requestErrors.wrongPassword();
            throw new APIError("BAD_REQUEST", { code, message });
          }
          return ctx.json({});
        },
      ),
    },
  };
}
