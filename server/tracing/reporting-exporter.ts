import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";

/** Sends spans, and logs once when they do not arrive, and once when they arrive again. */
export class ReportingExporter implements SpanExporter {
  #isAway = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Logger,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.#note(result);
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  #note({ code, error }: ExportResult): void {
    const isAway = code !== ExportResultCode.SUCCESS;
    if (isAway && !this.#isAway) this.log.warn({ err: error }, "the collector of traces cannot be reached");
    if (!isAway && this.#isAway) this.log.info("the collector of traces is reached again");
    this.#isAway = isAway;
  }
}
