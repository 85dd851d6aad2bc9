import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { generatePythonPackage } from "@/clients/python-package.mjs";
import { runsIntegration } from "../integrations";
import { type TemporaryFolder, temporaryFolder } from "../product";
import { call, newAccount } from "./client";
import { expectFiveCalls } from "./five-calls";
import { programOf } from "./readme-code";

const OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
const OAPI_RUNTIME = "github.com/oapi-codegen/runtime@v1.8.0";
const TEN_MINUTES_MS = 600_000;

const run = promisify(execFile);
let folder: TemporaryFolder;
let document: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  document = await (await fetch(`${inject("productUrl")}/openapi.json`)).text();
});
afterAll(() => folder.remove());

describe.runIf(runsIntegration("the Python client"))("the Python client", () => {
  test(
    "is what the generator makes of the document",
    () => {
      const made = join(folder.path, "allowance_client");
      generatePythonPackage(document, made);
      return expect(textsOf(made)).resolves.toEqual(new Map());
    },
    TEN_MINUTES_MS,
  );

  test(
    "is installed with pip, and the program in its README works",
    async () => {
      const account = await newAccount();
      const environment = join(folder.path, "environment");
      await run("python3", ["-m", "venv", environment]);
      // A copy, because pip builds where the sources are.
      await run("cp", ["-r", "clients/python", join(folder.path, "python")]);
      await run(join(environment, "bin/pip"), ["install", "--quiet", join(folder.path, "python")]);
      const program = join(folder.path, "program.py");
      await writeFile(program, programOf("clients/python/README.md", "python", inject("productUrl")));
      await run(join(environment, "bin/python"), [program], {
        cwd: folder.path,
        env: { ...process.env, KEY: account.apikey },
      });
      await expectFiveCalls(account);
      // A busy server is asked again after the time that it names, after 503 only for what has the same effect twice as once.
      await run(join(environment, "bin/python"), ["-c", PYTHON_RETRIES], { cwd: folder.path });
    },
    TEN_MINUTES_MS,
  );
});

describe.runIf(runsIntegration("the TypeScript client"))("the TypeScript client", () => {
  test(
    "is installed as its README says, and the program there is compiled and works",
    async () => {
      const account = await newAccount();
      const readme = "clients/typescript/README.md";
      const program = join(folder.path, "typescript-program");
      const client = join(folder.path, "allowance/clients/typescript");
      await mkdir(program);
      // What a checkout has of it before anything is installed.
      await mkdir(client, { recursive: true });
      const { stdout } = await run("git", ["ls-files", "clients/typescript"]);
      await Promise.all(
        stdout
          .trim()
          .split("\n")
          .map((file) => copyFile(file, join(folder.path, "allowance", file))),
      );
      await writeFile(join(program, "package.json"), JSON.stringify({ type: "module" }));
      await writeFile(join(program, "program.ts"), programOf(readme, "ts", inject("productUrl")));
      const env = { ...process.env, KEY: account.apikey };
      await run("sh", ["-e", "-c", programOf(readme, "sh", "")], { cwd: program, env });
      const types = ["--types", "node", "--typeRoots", resolve("node_modules/@types")];
      const target = ["--module", "nodenext", "--target", "es2022", "--strict", ...types];
      await run(resolve("node_modules/.bin/tsc"), [...target, "program.ts"], { cwd: program });
      await run(process.execPath, ["program.js"], { cwd: program, env });
      await expectFiveCalls(account);
    },
    TEN_MINUTES_MS,
  );
});

describe.runIf(runsIntegration("a Go client by oapi-codegen"))("a Go client by oapi-codegen", () => {
  test(
    "compiles as it is generated, and keeps each digit of an amount",
    async () => {
      const account = await newAccount();
      const module = join(folder.path, "program");
      await mkdir(join(module, "allowance"), { recursive: true });
      await copyFile("e2e/rest/go-client/main.go", join(module, "main.go"));
      await writeFile(join(module, "openapi.json"), document);
      const env = { ...process.env, BASE: inject("productUrl"), KEY: account.apikey };
      const go = (...args: string[]) => run("go", args, { cwd: module, env, maxBuffer: 64 << 20 });
      await go("mod", "init", "example.com/program");
      const target = ["-package", "allowance", "-generate", "types,client", "-o", "allowance/client.go"];
      await go("run", OAPI_CODEGEN, ...target, "openapi.json");
      await go("get", OAPI_RUNTIME);
      await go("mod", "tidy");
      const said = JSON.parse((await go("run", ".")).stdout);
      expect(said).toMatchObject({ groups: 1, budget: 1234567.89, updated: 1, allowed: true, captured: 2.1 });
      const stored = await call("GET", `/v1/apikeys/${said.apikey.slice(0, 10)}`, { key: account.apikey });
      expect(stored.body).toMatchObject({ budget: 1234567.89, daily_limit: 1000000.01, spent: 2.1, held: 0 });
    },
    TEN_MINUTES_MS,
  );
});

const PYTHON_RETRIES = `
import httpx
from allowance import Allowance, AllowanceError
from allowance_client.api.authorizations import check_authorization
from allowance_client.models import (
    AuthorizeInput, CheckAuthorizationInput, CreateGroupInput, RelativeChanges, SetApiKeyLimitsInput, SetGroupLimitsInput
)

statuses, sent = [], []

def answer(request):
    sent.append(request.content)
    status = statuses.pop(0)
    if status is None:
        raise httpx.ReadTimeout("no answer")
    body = {"success": True, "message": "", "group_id": "6920a1f0c3d4e5f60718293a", "group_name": "Research"}
    if status == 502:
        return httpx.Response(502, text="a page of a proxy")
    if status == 201:
        return httpx.Response(status, json=body)
    headers = {"Retry-After": "0", "Request-Id": "one"}
    return httpx.Response(status, json={"success": False, "error": "busy"}, headers=headers)

allowance = Allowance("http://allowance.test", "a key", retries=2, transport=httpx.MockTransport(answer))

def outcome(called, *answers):
    sent.clear()
    statuses[:] = answers
    try:
        called()
        said = "done"
    except AllowanceError as error:
        said = f"{error.status} {error} {error.request_id}"
    except httpx.TransportError as error:
        said = str(error)
    return said, len(sent), len(set(sent))

group = lambda: allowance.create_group(CreateGroupInput(name="Research"))
assert outcome(group, 429, 429, 201) == ("done", 3, 1)
assert outcome(group, 429, 429, 429, 201) == ("429 busy one", 3, 1)
assert outcome(group, 503, 201) == ("503 busy one", 1, 1)
assert outcome(group, 502) == ("502 502 Bad Gateway None", 1, 1)
hold = AuthorizeInput(apikey="a key", amount=1)
assert outcome(lambda: allowance.authorize(hold), 503, 503, 400) == ("400 busy one", 3, 1)
assert not hold.request_id
assert outcome(lambda: allowance.authorize(hold), None, 201) == ("no answer", 1, 1)
check = lambda: check_authorization.sync(client=allowance.client, body=CheckAuthorizationInput(apikey="a key", amount=1))
assert outcome(check, 503, 400) == ("400 busy one", 2, 1)
limits = lambda: allowance.set_limits("sk-AbC1234", SetApiKeyLimitsInput(budget=1))
assert outcome(limits, 503, 400) == ("400 busy one", 2, 1)
change = RelativeChanges.from_dict({"budget": {"multiply": 2}})
double = lambda: allowance.set_group_limits("6920a1f0c3d4e5f60718293a", SetGroupLimitsInput(change=change))
assert outcome(double, 503, 201) == ("503 busy one", 1, 1)
`;

/** The files of a package that are not those that are committed, by their names. */
async function textsOf(made: string): Promise<Map<string, string>> {
  const committed = "clients/python/allowance_client";
  const [here, there] = await Promise.all([made, committed].map((path) => readdir(path, { recursive: true })));
  const names = new Set([...(here ?? []), ...(there ?? [])].filter((name) => /\.(py|typed)$/.test(name)));
  const differing = new Map<string, string>();
  for (const name of names) {
    const read = (path: string) => readFile(join(path, name), "utf8").catch(() => "missing");
    const [one, other] = await Promise.all([read(made), read(committed)]);
    if (one !== other) differing.set(name, "differs: npm run clients");
  }
  return differing;
}
