import { spawnSync } from "node:child_process";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runToEnd, startProduct, temporaryFolder } from "../product";

const succeeds = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;

/** What the system has not written to the disk by now is lost, as when the power is. */
const losePower = (mounted: string) => succeeds("mount", "-o", "remount,abort", mounted);

test("a loss of power right after the first start: what was acknowledged is there, and so are password, settings and secret", async ({
  skip,
}) => {
  const folder = await temporaryFolder();
  const [disk, mounted] = [join(folder.path, "disk"), join(folder.path, "mounted")];
  await writeFile(disk, "");
  await truncate(disk, 400 * 2 ** 20);
  const mount = () => succeeds("mount", "-o", "loop", disk, mounted);
  try {
    skip(
      !(succeeds("mkfs.ext4", "-q", "-F", disk) && succeeds("mkdir", mounted) && mount()),
      "no disk of its own can be mounted",
    );
    const env = { DATA_DIR: join(mounted, "data") };
    const secret = () => readFile(join(env.DATA_DIR, "auth-secret"), "utf8");
    const first = await startProduct({ env });
    const { stdout } = await runToEnd("account-create", ["--email", "a@example.com"], { env });
    const kept = await secret();
    const isLost = losePower(mounted);
    await first.stop();
    skip(!isLost, "the disk cannot lose what is not written");
    expect(succeeds("umount", mounted) && mount()).toBe(true);
    const second = await startProduct({ env });
    const key = JSON.parse(stdout).apikey;
    const { status } = await fetch(`${second.url}/v1/apikeys`, { headers: { authorization: `Bearer ${key}` } });
    expect([status, await secret()]).toEqual([200, kept]);
    expect(await second.stop()).toBe(0);
  } finally {
    spawnSync("umount", ["-l", mounted]);
    await folder.remove();
  }
});
