import { readFile } from "node:fs/promises";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";

const scrape = async () => (await fetch(`${inject("productUrl")}/metrics`)).text();

const METRIC = /\b(?:allowance|nodejs|process)_[a-z0-9_]+/g;

/** The names of samples, for a histogram those of its parts. */
async function names(): Promise<Set<string>> {
  const types = [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? ["_bucket", "_sum", "_count"].map((part) => name + part) : [name],
    ),
  );
}

async function expressionsOfDashboard(): Promise<string[]> {
  const { panels, templating } = JSON.parse(await readFile("examples/observe/grafana-dashboard.json", "utf8"));
  expect(templating.list[0]).toMatchObject({ type: "datasource", query: "prometheus" });
  const targets = panels.flatMap((panel: { targets?: { expr: string }[] }) => panel.targets ?? []);
  return targets.map(({ expr }: { expr: string }) => expr);
}

async function expressionsOfRules(): Promise<string[]> {
  const { groups } = parse(await readFile("examples/observe/alert-rules.yml", "utf8"));
  const rules = groups.flatMap(({ rules }: { rules: unknown[] }) => rules);
  for (const rule of rules) {
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^Allowance\w+$/),
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
      annotations: { summary: expect.any(String), description: expect.any(String) },
    });
  }
  return rules.map(({ expr }: { expr: string }) => expr);
}

test("the dashboard and the alerts name metrics that there are", async () => {
  const existing = await names();
  const used = [...(await expressionsOfDashboard()), ...(await expressionsOfRules())].flatMap(
    (expression) => expression.match(METRIC) ?? [],
  );
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((name) => !existing.has(name))).toEqual([]);
});

test("the dashboard shows every metric of ours", async () => {
  const shown = (await expressionsOfDashboard()).join("\n");
  const types = [...(await scrape()).matchAll(/^# TYPE (allowance_\w+) /gm)].map(([, name = ""]) => name);
  expect(types.filter((name) => !shown.includes(name))).toEqual([]);
});

test("each panel of the dashboard has an id of its own, and none lies over another one", async () => {
  const { panels } = JSON.parse(await readFile("examples/observe/grafana-dashboard.json", "utf8"));
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }: { gridPos: Record<"x" | "y" | "w" | "h", number> }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
});

test("Prometheus is told the rules and the token", async () => {
  const config = parse(await readFile("examples/observe/prometheus.yml", "utf8"));
  expect(config).toMatchObject({
    rule_files: ["alert-rules.yml"],
    scrape_configs: [{ job_name: "allowance", authorization: { credentials_file: "metrics-token" } }],
  });
});
