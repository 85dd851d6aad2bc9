import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { guardPages } from "./page-guard";

const REACH = { publicUrl: undefined, proxies: 1 };

/** Pages that are rendered until the test ends them, and what was asked for so far. */
function pages() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const render = guardPages((request, response) => {
    begun.push(request.url ?? "");
    return new Promise((resolve) => {
      ends.push(() => {
        response.writeHead(200).end();
        resolve();
      });
    });
  }, REACH);
  const ask = (url: string, address: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url });
    request.headers["x-forwarded-for"] = address;
    const response = new ServerResponse(request);
    return { response, answered: render(request, response) };
  };
  return { begun, ends, ask };
}

test("few pages are rendered at once, fewer of them for one address; addresses take turns", async () => {
  const { begun, ends, ask } = pages();
  for (let i = 0; i < 6; i++) ask(`/a${i}`, "192.0.2.1");
  ask("/b0", "192.0.2.2");
  ask("/c0", "192.0.2.3");
  await expect.poll(() => begun).toEqual(["/a0", "/a1", "/a2", "/b0"]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual(["/a0", "/a1", "/a2", "/b0", "/a3"]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual(["/a0", "/a1", "/a2", "/b0", "/a3", "/c0"]);
});

test("a page whose head is written makes room, however slowly the rest is read", async () => {
  const { begun, ask } = pages();
  const first = ask("/a0", "192.0.2.1");
  for (let i = 1; i < 4; i++) ask(`/a${i}`, "192.0.2.1");
  await expect.poll(() => begun).toHaveLength(3);
  first.response.writeHead(200);
  await expect.poll(() => begun).toHaveLength(4);
});

test("files of the build do not wait", async () => {
  const { begun, ask } = pages();
  for (let i = 0; i < 20; i++) ask(`/_next/static/chunks/${i}.js`, "192.0.2.1");
  await expect.poll(() => begun).toHaveLength(20);
});

test("when nothing moves, the rest is 429 with Retry-After", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
  try {
    const { ask } = pages();
    for (let i = 0; i < 3; i++) ask(`/a${i}`, "192.0.2.1");
    const { response, answered } = ask("/late", "192.0.2.1");
    await vi.advanceTimersByTimeAsync(11_000);
    await answered;
    expect([response.statusCode, response.getHeader("retry-after")]).toEqual([429, 1]);
  } finally {
    vi.useRealTimers();
  }
});
