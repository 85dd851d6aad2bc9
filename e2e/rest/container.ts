import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finished, finished } from "../product";

/** Mounts need root. Elsewhere a test of a container skips. */
export const canMakeContainers =
  process.platform === "linux" && spawnSync("unshare", ["--mount", "mount", "--bind", "/tmp", "/tmp"]).status === 0;

/** What the last stage of the Dockerfile says. */
interface Image {
  /** In their order. */
  steps: ({ run: string } | { from: string; to: string })[];
  env: Record<string, string>;
  user: string;
  healthCheck: string[];
  entrypoint: string[];
  command: string[];
}

/** Programs that the base image has and that the product or a step of the Dockerfile needs. */
const PROGRAMS = ["sh", "rm", "mkdir", "chown", "ln", "env"];

/** Libraries that the base image has (Debian's libc6 and zlib1g), beside those of the programs above. */
const LIBRARIES = ["librt.so.1", "libdl.so.2", "libpthread.so.0", "libm.so.6", "libnss_files.so.2", "libz.so.1"];
const PATH = "PATH=/usr/local/bin:/usr/bin:/bin";

/** A container without an engine: a root folder that is made as the Dockerfile says. */
export class Container {
  readonly root: string;
  readonly #image = readImage();
  /** The volume at /data. */
  readonly #data: string;

  /**
   * @param folder where the root and the volume are made. Any user can enter it.
   * @param dist what `npm run build` has made.
   */
  constructor(folder: string, dist: string) {
    this.root = join(folder, "root");
    this.#data = join(folder, "data");
    this.#layBase();
    for (const step of this.#image.steps) {
      if ("run" in step) this.#build(step.run);
      else cpSync(dist, join(this.root, step.to), { recursive: true, verbatimSymlinks: true });
    }
    // A new volume takes over the owner of the folder that it is mounted on.
    const { uid, gid } = statSync(join(this.root, "data"));
    mkdirSync(this.#data, { mode: 0o700 });
    spawnSync("chown", [`${uid}:${gid}`, this.#data]);
  }

  /** Runs the entry point with these words, or with those of `CMD`, as the user of the image with a read-only root. */
  spawn(env: Record<string, string> = {}, words = this.#image.command): ChildProcess {
    return this.#spawn(env, [...this.#image.entrypoint, ...words]);
  }

  /** Runs a command beside the server, and waits until it ends. */
  async run(...words: string[]): Promise<Finished> {
    return finished(this.spawn({}, words));
  }

  /** Runs the health check of the image. */
  async checkHealth(env: Record<string, string>): Promise<Finished> {
    return finished(this.#spawn(env, this.#image.healthCheck));
  }

  #spawn(env: Record<string, string>, words: string[]): ChildProcess {
    const { root } = this;
    const mounts = [
      `mount --bind ${root} ${root}`,
      `mount -o remount,ro,bind ${root}`,
      `mount --bind ${this.#data} ${root}/data`,
      `mount -t tmpfs tmpfs ${root}/tmp`,
      `mount -t proc proc ${root}/proc`,
      `mount --rbind /dev ${root}/dev`,
    ];
    const variables = Object.entries({ ...this.#image.env, ...env });
    const into = ["chroot", `--userspec=${this.#image.user}`, root, "/bin/env", "-i", PATH];
    const settings = variables.map(([name, value]) => `${name}=${value}`);
    return spawn("unshare", [
      "--mount",
      "sh",
      "-c",
      `${mounts.join(" && ")} && exec "$@"`,
      "sh",
      ...into,
      ...settings,
      ...words,
    ]);
  }

  /** What the base image has: Node.js, npm, some programs with their libraries, and its user 1000. */
  #layBase(): void {
    for (const folder of [
      "etc",
      "tmp",
      "proc",
      "dev",
      "usr/local/bin",
      "usr/local/lib/node_modules/npm",
      "bin",
      "opt",
    ]) {
      mkdirSync(join(this.root, folder), { recursive: true });
    }
    writeFileSync(join(this.root, "etc/passwd"), "root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/data:/bin/sh\n");
    writeFileSync(join(this.root, "usr/local/bin/npm"), "#!/bin/sh\nexit 99\n", { mode: 0o755 });
    this.#install(process.execPath, "/usr/local/bin/node");
    for (const program of PROGRAMS) {
      const [path = ""] = spawnSync("which", [program], { encoding: "utf8" }).stdout.split("\n");
      this.#install(path, `/bin/${program}`);
    }
    chmodSync(join(this.root, "tmp"), 0o1777);
  }

  /** Copies a program with its libraries. */
  #install(program: string, to: string): void {
    const needed = spawnSync("ldd", [program], { encoding: "utf8" }).stdout.match(/\/\S+/g) ?? [];
    const beside = dirname(needed.find((path) => path.includes("/libc.so.")) ?? "/lib");
    const libraries = [...needed, ...LIBRARIES.map((name) => join(beside, name))].filter(existsSync);
    for (const [from, path] of [[program, to] as const, ...libraries.map((library) => [library, library] as const)]) {
      mkdirSync(join(this.root, dirname(path)), { recursive: true });
      cpSync(realpathSync(from), join(this.root, path));
    }
  }

  #build(step: string): void {
    const { status, stderr } = spawnSync("chroot", [this.root, "/bin/env", "-i", PATH, "/bin/sh", "-c", step], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${step}: ${stderr}`);
  }
}

/** Reads the last stage of the Dockerfile. An instruction that it does not know is an error. */
function readImage(): Image {
  const text = readFileSync("Dockerfile", "utf8").replaceAll("\\\n", "");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const image: Image = { steps: [], env: {}, user: "0", healthCheck: [], entrypoint: [], command: [] };
  const readers: Record<string, (rest: string) => void> = {
    RUN: (run) => image.steps.push({ run }),
    COPY: (rest) => {
      const [, from = "", to = ""] = /^--from=build (\S+) (\S+)$/.exec(rest) ?? [];
      image.steps.push({ from, to });
    },
    ENV: (rest) => Object.assign(image.env, Object.fromEntries([rest.split("=", 2)])),
    USER: (rest) => Object.assign(image, { user: rest }),
    HEALTHCHECK: (rest) => Object.assign(image, { healthCheck: JSON.parse(rest.replace(/^.*?CMD /, "")) }),
    ENTRYPOINT: (rest) => Object.assign(image, { entrypoint: JSON.parse(rest) }),
    CMD: (rest) => Object.assign(image, { command: JSON.parse(rest) }),
  };
  for (const name of ["FROM", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL"]) readers[name] = () => {};
  for (const line of lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")))) {
    const [name = "", rest = ""] = line.split(/ (.*)/, 2);
    const read = readers[name];
    if (read === undefined) throw new Error(`the test does not know ${name} of the Dockerfile`);
    read(rest);
  }
  return image;
}
