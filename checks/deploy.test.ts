import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
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

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
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

  test.each(["postgres.yaml", "replicas.yaml"])("%s serves and migrates with the roles that roles.sh makes", (file) => {
    const { allowance, postgres } = parse(read(`deploy/compose/${file}`)).services;
    const script = /^ *- \.\/(roles\.sh):\/docker-entrypoint-initdb\.d\/roles\.sh:ro$/m.exec(
      read(`deploy/compose/${file}`),
    )?.[1];
    const roles = [...read(`deploy/compose/${script}`).matchAll(/^CREATE ROLE (\w+) LOGIN/gm)].map(([, role]) => role);
    const { DATABASE_URL, MIGRATION_DATABASE_URL } = allowance.environment;
    const roleOf = (url: string) => /^postgresql:\/\/(\w+):\$\{POSTGRES_PASSWORD/.exec(url)?.[1];
    expect([roleOf(MIGRATION_DATABASE_URL), roleOf(DATABASE_URL)]).toEqual(roles);
    // The first role that the image makes is a superuser.
    expect(postgres.environment).not.toHaveProperty("POSTGRES_USER");
  });

  test("secrets are kept beside the files, and never committed", () => {
    for (const file of composeFiles) expect(read(`deploy/compose/${file}`)).not.toMatch(/^# +export /m);
    expect(read(".gitignore")).toMatch(/^\/deploy\/compose\/\.env$/m);
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
      const isKnown = ([name, inner]: [string, unknown]) => {
        const known = properties[name];
        return known !== undefined && accepts(known, inner);
      };
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
    const render = (...options: string[]) =>
      spawnSync("helm", ["template", "test", chart, "--kube-version", "1.31.0", ...options], { encoding: "utf8" });
    const documents = (text: string) => parseAllDocuments(text).map((document) => document.toJS());
    const workload = (text: string) => documents(text).find(({ spec }) => spec?.template).spec;
    const kinds = (text: string) => documents(text).map(({ kind }) => kind);

    test("helm finds no fault", () => {
      expect(spawnSync("helm", ["lint", "--strict", chart, ...everything], { encoding: "utf8" }).status).toBe(0);
    });

    test("embedded: one pod with a volume, in which somebody reaps the processes of PostgreSQL", () => {
      const { stdout } = render();
      expect(kinds(stdout).sort()).toEqual(["Service", "ServiceAccount", "StatefulSet"]);
      const { replicas, podManagementPolicy, template, volumeClaimTemplates } = workload(stdout);
      expect([replicas, podManagementPolicy, volumeClaimTemplates.length]).toEqual([1, "Parallel", 1]);
      expect(template.spec.shareProcessNamespace).toBe(true);
      // Nobody else serves meanwhile, so waiting would only make the pause longer.
      expect(template.spec.containers[0].lifecycle).toBeUndefined();
    });

    test("external: any number of pods, which serve until proxies know that they end", () => {
      const { stdout } = render(
        ...everything,
        "--set",
        "replicas=3,database.readUrlSecret.name=db,secretEnv.OIDC_CLIENT_SECRET.name=sso,secretEnv.OIDC_CLIENT_SECRET.key=k",
        "--set-json",
        "env.MAX_OPEN_HOLDS=1000000",
      );
      expect(kinds(stdout).sort()).toEqual([
        "Deployment",
        "Ingress",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "Service",
        "ServiceAccount",
        "ServiceMonitor",
      ]);
      const { replicas, template } = workload(stdout);
      const [{ env, lifecycle }] = template.spec.containers;
      expect([replicas, lifecycle.preStop.exec.command]).toEqual([3, ["sleep", "5"]]);
      const settings = Object.fromEntries(
        env.map(({ name, value, valueFrom }: Variable) => [name, value ?? valueFrom?.secretKeyRef]),
      );
      expect(settings).toEqual({
        PORT: "3000",
        DATA_DIR: "/data",
        PUBLIC_URL: "https://keys.example.com",
        TRUST_PROXY: "1",
        MAX_OPEN_HOLDS: "1000000",
        DATABASE_URL: { name: "db", key: "DATABASE_URL" },
        DATABASE_READ_URL: { name: "db", key: "DATABASE_READ_URL" },
        AUTH_SECRET: { name: "auth", key: "AUTH_SECRET" },
        METRICS_TOKEN: { name: "metrics", key: "METRICS_TOKEN" },
        OIDC_CLIENT_SECRET: { name: "sso", key: "k" },
      });
    });

    test("maintenance: one pod that serves nobody", () => {
      const { replicas, template } = workload(render(...external, "--set", "maintenance=true").stdout);
      const [{ command, readinessProbe, livenessProbe }] = template.spec.containers;
      expect([replicas, command[0], readinessProbe, livenessProbe]).toEqual([1, "node", undefined, undefined]);
    });

    test.each([
      ["database.urlSecret.name=db", "authSecret.name: needed"],
      ["env.PORT=4000", "env.PORT: the chart sets this variable"],
      // Some versions of Helm write 'replicaCount' not allowed, others replicaCount is not allowed.
      ["replicaCount=2", /replicaCount'? (is )?not allowed/],
    ])("%s: a clear sentence", (value, sentence) => {
      expect(render("--set", value).stderr).toMatch(sentence);
    });
  });
});

describe("systemd", () => {
  const unit = read("deploy/systemd/allowance.service");

  test("finds no fault in the service, and it is hardened", (context) => {
    const { stderr, error } = spawnSync("systemd-analyze", ["verify", "deploy/systemd/allowance.service"], {
      encoding: "utf8",
    });
    context.skip(error !== undefined, "no systemd on this machine");
    expect(stderr).not.toContain("allowance.service");
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
  });

  test("the service has a user whom initdb finds in /etc/passwd, and docs/operations.md makes that user", () => {
    const user = /^User=(.+)$/m.exec(unit)?.[1];
    expect(unit).not.toMatch(/^DynamicUser=/m);
    expect(read("docs/operations.md")).toMatch(new RegExp(`^sudo useradd --system .* ${user}$`, "m"));
  });

  test("a command runs as the service does: the same user, program, settings and data", () => {
    const command = read("deploy/systemd/allowance");
    const of = (name: string) => new RegExp(`^${name}=-?(.+)$`, "m").exec(unit)?.[1] ?? name;
    expect(command).toContain(`--uid=${of("User")} `);
    expect(command).toContain(`EnvironmentFile=-${of("EnvironmentFile")} `);
    expect(command).toContain(`--setenv=${of("Environment")} `);
    expect(command).toContain(of("ExecStart").replace(" start", ' "$@"'));
    expect(statSync("deploy/systemd/allowance").mode & 0o111).toBe(0o111);
    expect(spawnSync("sh", ["-n", "deploy/systemd/allowance"]).status).toBe(0);
  });

  test("a wrong setting ends the service for good, so that its status shows the reason", () => {
    const code = /^const WRONG_SETTING = (\d+);$/m.exec(read("server/main.ts"))?.[1];
    expect(unit).toMatch(new RegExp(`^RestartPreventExitStatus=${code}$`, "m"));
  });
});
