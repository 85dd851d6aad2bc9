import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const NO_NETWORK = { npm_config_proxy: "http://127.0.0.1:9", npm_config_https_proxy: "http://127.0.0.1:9" };

test("npm run sbom lists every package of the lockfile in CycloneDX form, without a network", {
  timeout: 120_000,
}, () => {
  const { stdout } = spawnSync("npm", ["run", "-s", "sbom"], {
    env: { ...process.env, ...NO_NETWORK },
    encoding: "utf8",
  });
  const { bomFormat, components } = JSON.parse(stdout);
  expect(bomFormat).toBe("CycloneDX");
  // The reference has the name of the package also where package.json calls it otherwise.
  const listed = new Set(components.map((component: Record<string, string>) => component["bom-ref"]));
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const locked = Object.entries<{ version: string; name?: string }>(packages)
    .filter(([path]) => path !== "")
    .map(([path, { name, version }]) => `${name ?? path.split("node_modules/").at(-1)}@${version}`);
  expect(locked.filter((each) => !listed.has(each))).toEqual([]);
});
