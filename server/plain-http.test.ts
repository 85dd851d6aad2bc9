import { expect, test } from "vitest";
import { plainHttpWarning } from "./plain-http";

const PUBLIC = "https://keys.example.com";

test.each<[string | undefined, string | undefined, boolean]>([
  [undefined, undefined, true],
  ["0.0.0.0", undefined, true],
  ["::", undefined, true],
  ["192.168.1.5", undefined, true],
  ["2001:db8::1", undefined, true],
  ["keys.internal", undefined, true],
  ["127.0.0.1", undefined, false],
  ["127.1.2.3", undefined, false],
  ["::1", undefined, false],
  ["localhost", undefined, false],
  [undefined, PUBLIC, false],
  ["0.0.0.0", PUBLIC, false],
])("HOST %s and PUBLIC_URL %s: warns %s", (host, publicUrl, warns) => {
  const lines = plainHttpWarning({ host, publicUrl });
  expect(lines.length > 0).toBe(warns);
  if (warns) expect(lines.join(" ")).toMatch(/PUBLIC_URL .*HOST=127\.0\.0\.1/);
});
