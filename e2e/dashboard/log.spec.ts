import { expect, test } from "playwright/test";
import { dataFolder } from "../data-folder";
import { startProduct } from "../product";

/** An error that nobody catches. The process goes on, whether Next.js was loaded already or not. */
const FAULT = `process.on("SIGUSR2", () => { throw new Error("nobody caught this\\n{}"); })`;

test("what nobody caught and what Next.js prints are lines of the log, and the process goes on", async () => {
  const folder = await dataFolder();
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(FAULT)}`;
  const product = await startProduct({ env: { DATA_DIR: folder.path, NODE_OPTIONS } });
  try {
    const faults = () => product.output().match(/^.*nobody caught this\\n.*$/gm)?.length;
    product.process.kill("SIGUSR2");
    await expect.poll(faults).toBe(1);
    expect((await fetch(`${product.url}/sign-in`)).status).toBe(200);
    product.process.kill("SIGUSR2");
    await expect.poll(faults).toBeGreaterThan(1);
  } finally {
    await product.stop();
    await folder.remove();
  }
  const lines = product.output().trimEnd().split("\n");
  const start = lines.filter((line) => !line.startsWith("{")).join("\n");
  expect(start).toMatch(/^Allowance serves at .*\/docs$/s);
  expect(start).not.toContain("nobody caught this");
  const logged = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  const caught = logged.filter(({ err }) => err?.message === "nobody caught this\n{}");
  expect(caught.length).toBeGreaterThan(0);
  for (const { level, msg } of caught) expect([level, msg]).toEqual([50, expect.stringMatching(/./)]);
  expect(logged.find(({ path }) => path === "page")).toMatchObject({ status: 200, address: expect.any(String) });
});
