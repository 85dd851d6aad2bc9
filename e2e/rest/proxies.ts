import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, cp, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort, type TemporaryFolder, temporaryFolder } from "../product";

/** A proxy of the examples that runs. */
export interface RunningProxy {
  url: string;
  stop(): Promise<void>;
}

/** What a proxy stands between. */
export interface Behind {
  /** Address of Allowance. */
  allowance: string;
  /** Address of the gateway. */
  gateway: string;
  /** The gateway token that the proxy sends. */
  token: string;
}

/** How a proxy is run in a copy of its folder in examples/. */
interface Recipe {
  /** The folder in examples/. */
  name: string;
  /** The files that have addresses in them. */
  configured: string[];
  /** The file of the token, and its text. */
  tokenFile: string;
  tokenText(token: string): string;
  command: [string, ...string[]];
  /** Who runs it; omitted: who runs the tests. */
  user?: { uid: number; gid: number } | undefined;
}

/** A user who may write in no folder of the machine's own proxy, where the tests run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_533, gid: 65_533 } : undefined;

export const nginx: Recipe = {
  name: "nginx",
  configured: ["nginx.conf"],
  tokenFile: "gateway-token.conf",
  tokenText: (token) => `proxy_set_header Authorization "Bearer ${token}";\n`,
  command: ["nginx", "-p", ".", "-c", "nginx.conf", "-e", "stderr"],
  user: NOBODY,
};

export const caddy: Recipe = {
  name: "caddy",
  configured: ["Caddyfile"],
  tokenFile: "gateway-token.caddy",
  tokenText: (token) => `header_up Authorization "Bearer ${token}"\n`,
  command: ["caddy", "run", "--config", "Caddyfile"],
};

export const haproxy: Recipe = {
  name: "haproxy",
  configured: ["haproxy.cfg"],
  tokenFile: "gateway-token",
  tokenText: (token) => `${token}\n`,
  command: ["haproxy", "-f", "haproxy.cfg"],
};

/** @param program the file of Envoy. */
export const envoy = (program: string): Recipe => ({
  name: "envoy",
  configured: ["envoy.yaml"],
  tokenFile: "gateway-token",
  tokenText: (token) => `Bearer ${token}`,
  // Without a shared memory, several of them run at a time.
  command: [program, "-c", "envoy.yaml", "--use-dynamic-base-id", "--concurrency", "1", "--log-level", "error"],
});

/** Runs a proxy with its example's configuration, at other addresses. */
export async function startProxy(recipe: Recipe, { allowance, gateway, token }: Behind): Promise<RunningProxy> {
  const folder = await temporaryFolder();
  await cp(join("examples", recipe.name), folder.path, { recursive: true });
  const port = await freePort();
  const addresses = { "3000": new URL(allowance).port, "8787": new URL(gateway).port, "8080": port };
  for (const file of recipe.configured) {
    let conf = await readFile(join(folder.path, file), "utf8");
    for (const [documented, actual] of Object.entries(addresses)) {
      const isThere = new RegExp(`((?:127\\.0\\.0\\.1|http://)(?::|, port_value: ))${documented}\\b`, "g");
      if (!isThere.test(conf)) throw new Error(`${file} has no address with the port ${documented}`);
      conf = conf.replace(isThere, `$1${actual}`);
    }
    await writeFile(join(folder.path, file), conf);
  }
  await writeFile(join(folder.path, recipe.tokenFile), recipe.tokenText(token));
  if (recipe.user) await chown(folder.path, recipe.user.uid, recipe.user.gid);
  const [program, ...args] = recipe.command;
  const child = spawn(program, args, { cwd: folder.path, stdio: ["ignore", "pipe", "pipe"], ...recipe.user });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const exited = once(child, "exit");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
    await delay(20);
  }
  // The name of the README.
  return { url: `http://localhost:${port}`, stop: () => stop(child, exited, folder) };
}

async function stop(child: ChildProcess, exited: Promise<unknown>, folder: TemporaryFolder): Promise<void> {
  child.kill("SIGTERM");
  await exited;
  await folder.remove();
}

function isListening(port: string): Promise<boolean> {
  const socket = connect(Number(port), "127.0.0.1");
  return new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy());
}
