import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type TemporaryFolder, temporaryFolder } from "./product";

const run = promisify(execFile);

/** Why compose files cannot be started here, or undefined. */
export function withoutCompose(): string | undefined {
  if (spawnSync("docker", ["info"]).status !== 0) return "no Docker engine answers";
  return spawnSync("docker", ["compose", "version"]).status === 0 ? undefined : "docker has no compose";
}

/** A file of `deploy/compose/`, started beside whatever else runs: with a name of its own. */
export class ComposeProject {
  readonly #arguments: string[];

  private constructor(
    private readonly folder: TemporaryFolder,
    file: string,
  ) {
    this.#arguments = [
      ...["compose", "--project-name", `allowance-test-${randomUUID()}`, "--file", `deploy/compose/${file}`],
      ...["--file", join(folder.path, "services.yaml"), "--env-file", join(folder.path, "env")],
    ];
  }

  /**
   * Builds the image, starts the services, and waits until they are healthy.
   * @param services what differs from the file, in YAML.
   * @param env what the operator writes into `.env`.
   */
  static async start(file: string, services: Record<string, string>, env: Record<string, string> = {}) {
    const folder = await temporaryFolder();
    const lines = Object.entries(services).map(([name, changes]) => `  ${name}: ${changes}\n`);
    await writeFile(join(folder.path, "services.yaml"), `services:\n${lines.join("")}`);
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(folder.path, "env"), settings.join(""));
    const project = new ComposeProject(folder, file);
    try {
      await project.up();
    } catch (error) {
      await project.remove();
      throw error;
    }
    return project;
  }

  async up(): Promise<void> {
    await this.compose("up", "--detach", "--build", "--wait");
  }

  /** `127.0.0.1` and the port of this machine that leads to a port of a service. */
  async address(service: string, port: number): Promise<string> {
    return (await this.compose("port", service, String(port))).trim();
  }

  /** Kills the first container of a service. Docker does not start it again. */
  async kill(service: string): Promise<void> {
    const [first = ""] = (await this.compose("ps", "--quiet", service)).split("\n");
    await run("docker", ["kill", first]);
  }

  /** What a command printed in the first container of a service. */
  execute(service: string, ...command: string[]): Promise<string> {
    return this.compose("exec", "--no-TTY", service, ...command);
  }

  /** Runs a command of compose on the project, and returns what it printed. */
  async compose(...words: string[]): Promise<string> {
    return (await run("docker", [...this.#arguments, ...words], { maxBuffer: 2 ** 26 })).stdout;
  }

  /** Stops the project and deletes what it kept. */
  async remove(): Promise<void> {
    await this.compose("down", "--volumes", "--timeout", "60");
    await this.folder.remove();
  }
}
