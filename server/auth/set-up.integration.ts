import { hashPassword } from "better-auth/crypto";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { database } from "../testing/database";
import { openBetterAuth } from "./better-auth";

vi.mock("better-auth/crypto", { spy: true });

test("a wrong set-up link is refused before the password is hashed, which costs the server much", async () => {
  const origin = "http://localhost";
  const { handle } = await openBetterAuth({
    db: database,
    origin,
    isSecure: false,
    secrets: { current: "a secret of more than thirty-two characters", previous: [] },
    keyPrefix: "sk-",
    isSignUpOpen: false,
    sessionIdleDays: 7,
    oidc: undefined,
    log: pino({ level: "silent" }),
  });
  const body = JSON.stringify({ token: "wrong", email: "a@example.com", password: "a password of some length" });
  const headers = { "content-type": "application/json", origin };
  const answer = await handle(new Request(`${origin}/api/auth/set-up`, { method: "POST", body, headers }));
  expect([answer.status, (await answer.json()).code]).toEqual([403, "SET_UP_LINK_INVALID"]);
  expect(hashPassword).not.toHaveBeenCalled();
});
