import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "../config";

/** Which requests are traced, in the words of `OTEL_TRACES_SAMPLER`. */
export function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = rootOf(sampler, ratio);
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function rootOf(sampler: TracingConfig["sampler"], ratio: number): Sampler {
  if (sampler.endsWith("always_on")) return new AlwaysOnSampler();
  return sampler.endsWith("always_off") ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}
