import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { freePort } from "../product";

/** The person who signs in at the provider. */
interface Claims {
  sub: string;
  email: string;
  email_verified: boolean;
}

/** A small OpenID provider. The test decides who signs in. */
export interface OidcProvider {
  issuer: string;
  /** Signs the person in, and returns the address that the provider redirects the browser to. */
  agree(authorizationUrl: string, claims: Claims): string;
  stop(): void;
}

/** The settings of a product that signs in with the provider, which sends browsers back to an address that it knows before. */
export async function oidcSettings({ issuer }: Pick<OidcProvider, "issuer">) {
  const PORT = await freePort();
  return {
    PORT,
    PUBLIC_URL: `http://localhost:${PORT}`,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: "allowance",
    OIDC_CLIENT_SECRET: "a secret of the provider",
  };
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const granted = new Map<string, Record<string, unknown>>();
  let issuer = "";
  const server = createServer(async (request, response) => {
    const answer = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    switch (request.url) {
      case "/.well-known/openid-configuration":
        return answer({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ["ES256"],
        });
      case "/keys":
        return answer({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "ES256", use: "sig" }] });
      case "/token": {
        const body = new URLSearchParams(await text(request));
        const claims = granted.get(body.get("code") ?? "");
        granted.delete(body.get("code") ?? "");
        return claims
          ? answer({ access_token: randomUUID(), token_type: "Bearer", id_token: token(claims) })
          : answer({ error: "invalid_grant" }, 400);
      }
      default:
        return answer({}, 404);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function token(claims: Record<string, unknown>): string {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const unsigned = `${encode({ alg: "ES256", kid: "one" })}.${encode({ iss: issuer, iat: now, exp: now + 60, ...claims })}`;
    const signature = sign("sha256", Buffer.from(unsigned), { key: privateKey, dsaEncoding: "ieee-p1363" });
    return `${unsigned}.${signature.toString("base64url")}`;
  }

  return {
    issuer,
    agree(authorizationUrl, claims) {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomUUID();
      granted.set(code, { ...claims, aud: asked.get("client_id"), nonce: asked.get("nonce") });
      return `${asked.get("redirect_uri")}?${new URLSearchParams({ code, state: asked.get("state") ?? "" })}`;
    },
    stop: () => server.close(),
  };
}
