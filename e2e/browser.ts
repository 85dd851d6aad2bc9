import { createHmac } from "node:crypto";

/** An answer to a browser. */
export interface BrowserAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each spec checks the shape that it expects.
  body: any;
}

/** The part of a browser that signing in needs: it keeps cookies, and sends the origin of a request. */
export class Browser {
  readonly cookies = new Map<string, string>();
  constructor(
    readonly url: string,
    /** Headers of every request, for example the one in which a proxy names the client. */
    readonly headers: Record<string, string> = {},
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<BrowserAnswer> {
    return this.send("GET", path, undefined, headers);
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<BrowserAnswer> {
    return this.send("POST", path, body, { origin: this.url, "sec-fetch-site": "same-origin", ...headers });
  }

  signIn(email: string, password: string): Promise<BrowserAnswer> {
    return this.post("/api/auth/sign-in/email", { email, password });
  }

  private async send(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.cookies.size > 0 && {
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  private keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The code that an authenticator app shows now for a secret in base32 (RFC 6238). */
export function totpCode(secret: string, now = Date.now()): string {
  const bits = [...secret.replace(/=+$/, "")]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
