import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { version } from "@/package.json";
import { ENVIRONMENT } from "@/server/config";

const read = (file: string) => readFileSync(file, "utf8");
const composeFiles = readdirSync("deploy/compose").filter((file) => file.endsWith(".yaml"));
const chart = "deploy/helm/allowance";

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  $ref?: string;
}

describe("compose", () => {
  test.each(composeFiles)("%s runs the image hardened, and sets only variables that exist", (file) => {
    const { services } = parse(read(`deploy/compose/${file}`));
    expect(services.allowance).toMatchObject({
      build: "../..",
      init: true,
      read_only: true,
      tmpfs: ["/tmp"],
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(Object.keys(ENVIRONMENT.shape)).toEqual(expect.arrayContaining(Object.keys(services.allowance.environment)));
  });

  test("the replicas trust the one proxy in front of them, and share one secret and one database", () => {
    const { environment, deploy } = parse(read("deploy/compose/replicas.yaml")).services.allowance;
    expect([deploy.replicas, environment.TRUST_PROXY]).toEqual([2, "1"]);
    expect(environment.AUTH_SECRET).toMatch(/^\$\{AUTH_SECRET:\?/);
    expect(environment.DATABASE_URL).toMatch(/@postgres:5432/);
  });
});

describe("the chart", () => {
  test("has the version of the package", () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  });

  test("refuses the values that it does not have, and none that it has", () => {
    const accepts = ({ properties, additionalProperties, $ref }: Schema, value: unknown): boolean => {
      if ($ref) return accepts(schema.definitions.secret, value);
      if (!properties) return true;
      const entries = Object.entries(value as object);
      const isKnown = ([name, inner]: [string, unknown]) => name in properties && accepts(properties[name], inner);
      return additionalProperties === false && entries.every(isKnown);
    };
    const schema = JSON.parse(read(`${chart}/values.schema.json`));
    expect(accepts(schema, parse(read(`${chart}/values.yaml`)))).toBe(true);
  });

  test("sets only variables that exist", () => {
    const names = [...read(`${chart}/templates/_environment.tpl`).matchAll(/^ {2}"([A-Z_]+)" /gm)];
    expect(names.length).toBeGreaterThan(8);
    expect(Object.keys(ENVIRONMENT.shape)).toEqual(expect.arrayContaining(names.map(([, name]) => name)));
  });

  const isMissing = spawnSync("helm", ["version"]).error !== undefined;
  if (isMissing) console.warn("checks/deploy.test.ts: no helm on PATH, so the chart is not rendered");

  describe.skipIf(isMissing)("rendered", () => {
    const external = ["--set", "database.urlSecret.name=db,authSecret.name=auth"];
    const everything = [
      ...external,
      "--set",
      "ingress.enabled=true,ingress.host=keys.example.com,ingress.tlsSecret=tls,metrics.tokenSecret.name=metrics,metrics.annotations=true,metrics.serviceMonitor.enabled=true,networkPolicy.enabled=true,publicUrl=https://keys.example.com",
    ];
    const render = (options: string[]) =>
      spawnSync("helm", ["template", "test", chart, "--kube-version", "1.31.0", ...options], { encoding: "utf8" });
    const kinds = (text: string) => [...text.matchAll(/^kind: (\w+)/gm)].map(([, kind]) => kind).sort();

    test("helm finds no fault", () => {
      for (const options of [[], everything]) {
        expect(spawnSync("helm", ["lint", "--strict", chart, ...options], { encoding: "utf8" })).toMatchObject({
          status: 0,
        });
      }
    });

    test("embedded: one pod with a volume", () => {
      const { stdout } = render([]);
      expect(kinds(stdout)).toEqual(["Service", "ServiceAccount", "StatefulSet"]);
      expect(stdout).toContain("volumeClaimTemplates:");
    });

    test("external: any number of pods", () => {
      const { stdout } = render(everything);
      expect(kinds(stdout)).toEqual([
        "Deployment",
        "Ingress",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "Service",
        "ServiceAccount",
        "ServiceMonitor",
      ]);
      for (const text of stdout.split(/^---$/m)) expect(() => parse(text)).not.toThrow();
    });

    test("external without a secret for all pods: a clear sentence", () => {
      expect(render(["--set", "database.urlSecret.name=db"]).stderr).toContain("authSecret.name: needed");
    });
  });
});

test("systemd finds no fault in the service, and it is hardened", (context) => {
  const { stderr, error } = spawnSync("systemd-analyze", ["verify", "deploy/systemd/allowance.service"], {
    encoding: "utf8",
  });
  context.skip(error !== undefined, "no systemd on this machine");
  expect(stderr).not.toContain("allowance.service");
  expect(read("deploy/systemd/allowance.service")).toMatch(/^NoNewPrivileges=yes$/m);
});
