import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { Logger } from "pino";
import { expect, test } from "vitest";
import { ReportingExporter } from "./reporting-exporter";

test("a collector that is away is logged once, and once when it is back", () => {
  const lines: string[] = [];
  const log = {
    warn: (_: object, line: string) => lines.push(line),
    info: (line: string) => lines.push(line),
  } as unknown as Logger;
  let next: ExportResult = { code: ExportResultCode.SUCCESS };
  const exporter = new ReportingExporter({ export: (_, done) => done(next), shutdown: async () => {} }, log);
  const codes: number[] = [];
  const send = (result: ExportResult) => {
    next = result;
    exporter.export([], ({ code }) => codes.push(code));
  };
  const away = { code: ExportResultCode.FAILED, error: new Error("connect ECONNREFUSED") };
  const there = { code: ExportResultCode.SUCCESS };
  for (const result of [there, away, away, away, there, there]) send(result);
  expect(lines).toEqual(["the collector of traces cannot be reached", "the collector of traces is reached again"]);
  expect(codes).toEqual([0, 1, 1, 1, 0, 0]);
});
