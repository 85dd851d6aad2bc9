import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  type Attributes,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ClientBase, Pool } from "pg";
import type { Logger } from "pino";
import { version } from "@/package.json";
import type { TracingConfig } from "../config";
import type { ApiRequest } from "../fast-path/request";
import { ReportingExporter } from "./reporting-exporter";
import { samplerOf } from "./sampler";
import { describeStatement } from "./statement-span";
import type { TracedOutcome, Tracing } from "./tracing";

/** The most requests of one batch. */
const MOST_LINKS = 256;
/** Methods that a span may be named for. A client may send any. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Traces with the SDK of OpenTelemetry. It is not registered in the process: otherwise Next.js and other packages would write
 * spans too, with the addresses of pages. The exporter reads `OTEL_EXPORTER_OTLP_*` from the environment.
 *
 * A span has what the log has, and less: no address of a request, no text and no values of a statement, no message of an
 * error.
 */
export class OpenTelemetryTracing implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  /** The span that the work under way belongs to. */
  readonly #spans = new AsyncLocalStorage<Span | undefined>();
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(config: TracingConfig, log: Logger) {
    const resource = defaultResource()
      .merge(
        resourceFromAttributes({
          "service.name": config.serviceName,
          "service.version": version,
          "service.instance.id": randomUUID(),
        }),
      )
      .merge(detectResources({ detectors: [envDetector] }));
    this.#provider = new TracerProvider({
      resource,
      sampler: samplerOf(config),
      spanLimits: { linkCountLimit: MOST_LINKS },
      spanProcessors: [
        new BatchSpanProcessor({ exporter: new ReportingExporter(new OTLPTraceExporter(), log), maxQueueSize: 8192 }),
      ],
    });
    this.#tracer = this.#provider.getTracer("allowance", version);
  }

  async traceRequest<Outcome extends TracedOutcome>(
    request: ApiRequest,
    requestId: string,
    work: (traceId: string) => Promise<Outcome>,
  ): Promise<Outcome> {
    const isKnown = METHODS.has(request.method ?? "");
    const method = isKnown ? (request.method ?? "") : "HTTP";
    const parent = this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const attributes: Attributes = {
      "http.request.method": isKnown ? method : "_OTHER",
      "url.scheme": "http",
      "network.protocol.version": request.httpVersion,
      "allowance.request_id": requestId,
    };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    try {
      const outcome = await this.#spans.run(span, () => work(span.spanContext().traceId));
      const { path, status } = outcome;
      span.updateName(`${method} ${path}`);
      span.setAttribute("http.response.status_code", status);
      if (path.startsWith("/")) span.setAttribute("http.route", path);
      if (status >= 500) fail(span, String(status));
      return outcome;
    } catch (error) {
      span.setAttribute("http.response.status_code", 500);
      fail(span, "500");
      throw error;
    } finally {
      span.end();
    }
  }

  currentSpan(): Span | undefined {
    return this.#spans.getStore();
  }

  async traceBatch<Result>(
    queue: string,
    requests: readonly (Span | undefined)[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const [first, ...others] = new Set(requests.filter((request) => request?.isRecording() === true));
    // What runs for no traced request must not be taken for a part of the one that has happened to start the batch.
    if (first === undefined) return this.#spans.run(undefined, work);
    const links = others.flatMap((other) => (other ? [{ context: other.spanContext() }] : []));
    const attributes = { "allowance.batch.calls": requests.length };
    const span = this.#tracer.startSpan(`batch ${queue}`, { links, attributes }, trace.setSpan(ROOT_CONTEXT, first));
    for (const other of others) other?.addLink({ context: span.spanContext() });
    try {
      return await this.#spans.run(span, work);
    } catch (error) {
      fail(span, typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  tracePool(pool: Pool): void {
    const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
    // A call that has waited for a connection runs on for its own request, and not for the one that has released it.
    const connectForRequest = (...given: unknown[]) =>
      connect(...given.map((each) => (typeof each === "function" ? AsyncResource.bind(each as Callback) : each)));
    pool.connect = connectForRequest as typeof pool.connect;
    pool.on("connect", (client) => this.#traceClient(client));
  }

  #traceClient(client: ClientBase): void {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const traced = (...given: unknown[]): unknown => {
      const parent = this.#spans.getStore();
      const described = parent?.isRecording() ? describeStatement(given[0]) : undefined;
      if (parent === undefined || described === undefined) return query(...given);
      const { name, attributes } = described;
      const span = this.#tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, attributes },
        trace.setSpan(ROOT_CONTEXT, parent),
      );
      const end = (error: unknown) => {
        if (error) fail(span, typeOf(error));
        span.end();
      };
      const place = given.findLastIndex((each) => typeof each === "function");
      if (place >= 0) {
        const answer = given[place] as Callback;
        return query(
          ...given.with(place, (...answered: unknown[]) => {
            end(answered[0]);
            answer(...answered);
          }),
        );
      }
      const answered = query(...given) as Promise<unknown>;
      answered.then(() => end(undefined), end);
      return answered;
    };
    client.query = traced as typeof client.query;
  }

  async close(): Promise<void> {
    await this.#provider.shutdown().catch(() => {});
  }
}

type Callback = (...answered: unknown[]) => unknown;

/** Says that a span has failed, by the kind of the error. Its message may quote values. */
function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The SQLSTATE or the code of an error, where it has one, or the name of its class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.constructor.name;
}
