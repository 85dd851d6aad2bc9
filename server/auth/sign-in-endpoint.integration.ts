import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { database } from "../testing/database";
import { openBetterAuth } from "./better-auth";
import { createSignInEndpoint } from "./sign-in-endpoint";
import { ValidKeys } from "./valid-keys";

vi.mock("./better-auth", { spy: true });

test("however many hosts clients name, better-auth is set up once for http and once for https", async () => {
  const signIn = createSignInEndpoint(
    {
      db: database,
      validKeys: new ValidKeys(database),
      isMigrated: () => true,
      secrets: { current: "a secret of more than thirty-two characters", previous: [] },
      keyPrefix: "sk-",
      isSignUpOpen: false,
      sessionIdleDays: 7,
      oidc: undefined,
      reach: { publicUrl: undefined, proxies: 1 },
    },
    pino({ level: "silent" }),
  );
  for (let i = 0; i < 20; i++) {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: "POST", url: "/api/auth/sign-out" });
    request.headers["content-type"] = "application/json";
    const response = new ServerResponse(request);
    const failure = await signIn({
      request,
      response,
      path: "/sign-out",
      origin: `${i % 2 === 0 ? "http" : "https"}://host-${i}.example`,
      address: null,
      body: async () => ({}),
      caller: async () => undefined,
      onSignIn: () => {},
    });
    expect([failure, response.statusCode]).toEqual([undefined, 200]);
  }
  expect(openBetterAuth).toHaveBeenCalledTimes(2);
});
