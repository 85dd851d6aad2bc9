import { gunzipSync } from "node:zlib";
import { describe, expect, inject, test } from "vitest";
import { sendRaw } from "./raw";

const url = () => inject("productUrl");

describe("what anyone may ask without a key: the document of the API", () => {
  const get = (headers: Record<string, string> = {}) => sendRaw(url(), "GET", "/openapi.json", headers);

  test("is compressed for those who take that", async () => {
    const plain = await get();
    const compressed = await get({ "accept-encoding": "br, gzip" });
    expect([plain.headers["content-encoding"], compressed.headers["content-encoding"]]).toEqual([undefined, "gzip"]);
    expect(plain.headers.vary).toBe("Accept-Encoding");
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(JSON.parse(plain.body.toString()).openapi).toBe("3.1.0");
    expect((await get({ "accept-encoding": "gzip;q=0" })).headers["content-encoding"]).toBeUndefined();
  });

  test.each([{}, { "accept-encoding": "gzip" }])("is not sent again to those who have it: %j", async (headers) => {
    const first = await get(headers);
    const tag = first.headers.etag ?? "";
    expect(tag).toMatch(/^"[\w-]+"$/);
    const again = await get({ ...headers, "if-none-match": `"other", ${tag}` });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, tag, 0]);
    expect((await get({ ...headers, "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("what is only read refuses other methods, and says which it has", () => {
  const OF_PROBES = ["GET", "HEAD", "OPTIONS"];

  test.each([
    ["/openapi.json", ["GET", "HEAD"]],
    ["/metrics", ["GET", "HEAD"]],
    ["/healthz", OF_PROBES],
    ["/readyz", OF_PROBES],
  ])("%s", async (path, methods) => {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]) {
      const { status, headers, body } = await sendRaw(url(), method, path);
      if (methods.includes(method)) {
        expect([method, status]).toEqual([method, 200]);
        expect(body.length > 0).toBe(method !== "HEAD");
        continue;
      }
      const allowed = methods.join(", ");
      expect([method, status, headers.allow]).toEqual([method, 405, allowed]);
      expect(JSON.parse(body.toString())).toEqual({
        success: false,
        error: `method not allowed; allowed: ${allowed}`,
      });
    }
  });
});

describe("of Next.js only pages and files of the build are reachable", () => {
  test.each([
    "/_next/image?url=%2Ficon.svg&w=640&q=75",
    "//_next/image?url=%2Ficon.svg&w=640&q=75",
    "/%5Fnext/image?url=%2Ficon.svg&w=640&q=75",
    "/x/..\\_next/image?url=%2Ficon.svg&w=640&q=75",
    "/_next/static/../image?url=%2Ficon.svg&w=640&q=75",
    "/_next/static/%2e%2e/image?url=%2Ficon.svg&w=640&q=75",
    "/_next/data/x/index.json",
    "//v1/apikeys",
    "/\\\\v1/apikeys",
    "/V1/apikeys",
    "/%761/apikeys",
    "//v1",
  ])("GET %s is 404", async (path) => {
    const { status, body } = await sendRaw(url(), "GET", path);
    expect([status, JSON.parse(body.toString())]).toEqual([404, { success: false, error: "unknown path" }]);
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s of a page is 404, also for a server action", async (method) => {
    const headers = { "next-action": "40a1b2c3", "content-type": "text/plain;charset=UTF-8", "content-length": "2" };
    const { status, body } = await sendRaw(url(), method, "/sign-in", headers, "[]");
    expect([status, JSON.parse(body.toString())]).toEqual([404, { success: false, error: "unknown path" }]);
  });
});
