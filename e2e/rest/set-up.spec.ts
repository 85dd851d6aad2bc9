import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser } from "../browser";
import { dataFolder } from "../data-folder";
import { type Product, runToEnd, startProduct } from "../product";
import { callAt } from "./client";
import { Deployment } from "./deployment";

const PASSWORD = "a password of some length";

describe("set-up", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await Deployment.start();
  });
  afterAll(() => deployment.stop());

  test("the printed link makes the first account, once, and signs in", async () => {
    const link = await deployment.printed(/http:\/\/localhost:\d+\/set-up\?token=(\S+)/);
    const first = deployment.browser();
    const email = "First@example.com";
    const weak = await first.post("/api/auth/set-up", { token: link, email, password: "short" });
    expect([weak.status, weak.body.error]).toEqual([400, "password: must be at least 12 characters long"]);
    const wrong = await first.post("/api/auth/set-up", { token: "wrong", email, password: PASSWORD });
    expect([wrong.status, wrong.body.code]).toEqual([403, "SET_UP_LINK_INVALID"]);
    const settings = { time_zone: "Mars/Olympus" };
    const lost = await first.post("/api/auth/set-up", { token: link, email, password: PASSWORD, ...settings });
    expect([lost.status, lost.body.error]).toEqual([
      400,
      "time_zone: must be an IANA time zone, for example Asia/Shanghai",
    ]);
    expect(await deployment.db.prisma.account.count()).toBe(0);
    const stored = await deployment.db.prisma.verification.findMany();
    expect(JSON.stringify(stored)).not.toContain(link);

    const body = { token: link, email, password: PASSWORD, time_zone: "Europe/Berlin", language: "zh-CN" };
    const answers = await Promise.all([first, deployment.browser()].map((each) => each.post("/api/auth/set-up", body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const created = answers.find(({ status }) => status === 200);
    expect(created?.body).toEqual({
      account_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      email: "first@example.com",
      apikey: expect.stringMatching(/^sk-[0-9A-Za-z]{45}$/),
    });
    const { apikey, account_id } = created?.body ?? {};
    expect((await callAt(deployment.product.url, "GET", "/v1/account", { key: apikey })).body).toMatchObject({
      account_id,
      time_zone: "Europe/Berlin",
      language: "zh-CN",
    });
    const again = await deployment.browser().post("/api/auth/set-up", { ...body, email: "second@example.com" });
    expect(again.status).toBe(403);
    expect(await deployment.db.prisma.account.count()).toBe(1);
    expect((await deployment.browser().signIn(email, PASSWORD)).status).toBe(200);
    const events = await deployment.events(account_id);
    expect(events).toMatchObject([{ action: "account.created", actor: "browser", actorName: "first@example.com" }]);
    expect(JSON.stringify(events)).not.toContain(apikey);
  });
});

describe("a link that is left unused", () => {
  test("is printed by the next start too, while it is valid, and is no longer valid once there is an account", async () => {
    const folder = await dataFolder();
    const env = { DATA_DIR: folder.path };
    const start = async (line: RegExp) => {
      const product = await startProduct({ env });
      await expect.poll(() => product.output()).toMatch(line);
      return { product, token: /token=(\S+)/.exec(product.output())?.[1] };
    };
    const use = ({ url }: Product, token: string | undefined) =>
      new Browser(url).post("/api/auth/set-up", { token, email: "a@example.com", password: PASSWORD });
    const first = await start(/token=\S+/);
    await first.product.stop();
    const second = await start(/token=\S+/);
    expect(second.token).toBe(first.token);
    await runToEnd("account-create", ["--email", "owner@example.com"], { env });
    expect((await use(second.product, second.token)).status).toBe(403);
    await second.product.stop();
    const third = await start(/sign in at\s+http:\/\/localhost:\d+\/sign-in/);
    expect(third.token).toBeUndefined();
    await third.product.stop();
    await folder.remove();
  });
});
