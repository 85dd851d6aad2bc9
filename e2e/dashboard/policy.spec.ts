import type { Page } from "playwright/test";
import { expect } from "playwright/test";
import { test } from "./account";
import { RequestWatch } from "./request-watch";

const SIGNED_OUT = ["/", "/sign-in", "/sign-up", "/set-up?token=none", "/docs", "/nowhere"];
const SIGNED_IN = ["/overview", "/keys", "/groups", "/usage", "/history", "/settings"];

/** Collects what a browser says of the content security policy, and every error of a script, while it shows pages. */
async function watch(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  await page.exposeFunction("complain", (complaint: string) => complaints.push(complaint));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      (window as unknown as { complain(text: string): void }).complain(
        `${location.pathname}: ${effectiveDirective} ${blockedURI} ${sample}`,
      ),
    );
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** Shows a page until React has taken it over, and nothing is fetched any more. */
async function show(page: Page, requests: RequestWatch, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await requests.quiet();
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("no page of a stranger breaks the policy", async ({ page }) => {
      const complaints = await watch(page);
      const requests = new RequestWatch(page);
      for (const path of SIGNED_OUT) await show(page, requests, path);
      expect(complaints).toEqual([]);
    });

    test("no page of an account breaks the policy", async ({ page, account }) => {
      const group = await account.newGroup("a group");
      const key = await account.newKey("a key", { group_id: group, budget: 10 });
      const { authorization_id: id } = await account.call("POST", "/v1/authorizations", {
        apikey: account.apikey,
        amount: 2,
      });
      await account.call("POST", `/v1/authorizations/${id}/capture`, { amount: 1 });
      const theme = colorScheme === "light" ? "Light" : "Dark";
      const complaints = await watch(page);
      const requests = new RequestWatch(page);
      await show(page, requests, "/settings");
      await page.getByRole("main").getByText(theme, { exact: true }).click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      for (const path of [...SIGNED_IN, `/keys/${key}`, `/keys/${account.apikey.slice(0, 10)}`, `/groups/${group}`]) {
        await show(page, requests, path);
      }
      // From page to page without a load: the scripts that follow have no nonce of this page.
      const links = page.getByRole("navigation").first().getByRole("link");
      for (const link of await links.all()) {
        await link.click();
        await requests.quiet();
      }
      await page.goto("/keys");
      await page.getByRole("button", { name: "Create key" }).first().click();
      await expect(page.locator("dialog[open]")).toBeVisible();
      expect(complaints).toEqual([]);
    });
  });
}

test("a script that somebody smuggles into a page does not run", async ({ page, account }) => {
  const complaints = await watch(page);
  const smuggled = [
    "<script>window.stolen = 1</script>",
    '<script nonce="">window.stolen = 2</script>',
    '<script src="data:text/javascript,window.stolen = 3"></script>',
    '<script src="/openapi.json"></script>',
    '<img src="data:," onerror="window.stolen = 4">',
    '<svg onload="window.stolen = 5"></svg>',
    '<base href="https://example.com/">',
    '<iframe srcdoc="<script>parent.stolen = 6</script>"></iframe>',
  ].join("");
  await page.route("/settings", async (route) => {
    const response = await route.fetch();
    // Behind the scripts of the page, so that React has all of its own elements.
    const body = (await response.text()).replace("</body>", `${smuggled}</body>`);
    await route.fulfill({ response, body });
  });
  await page.goto("/settings");
  await expect(page.getByText(account.email).first()).toBeVisible();
  await page.evaluate(() => {
    const element = document.createElement("div");
    element.innerHTML = '<img src="data:," onerror="window.stolen = 7"><a href="javascript:window.stolen = 8">go</a>';
    document.body.append(element);
    element.querySelector("a")?.click();
    const script = document.createElement("script");
    script.text = "window.stolen = 9";
    document.body.append(script);
  });
  await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(8);
  expect(await page.evaluate(() => (window as unknown as { stolen?: number }).stolen)).toBeUndefined();
});

test("each answer has a nonce of its own, which the sender cannot choose", async ({ request }) => {
  const policy = "script-src 'nonce-ofAttacker'";
  const answers = await Promise.all(
    [1, 2].map(() => request.get("/sign-in", { headers: { "Content-Security-Policy": policy } })),
  );
  const nonces = answers.map(
    (answer) => /'nonce-([^']+)'/.exec(answer.headers()["content-security-policy"] ?? "")?.[1],
  );
  expect(new Set(nonces).size).toBe(2);
  for (const [i, answer] of answers.entries()) {
    const page = await answer.text();
    const scripts = [...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonces[i]}"`))).toEqual([]);
    expect(page).not.toContain("ofAttacker");
  }
});
