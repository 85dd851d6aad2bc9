import type { ModelInput } from "../prices/schema";

const dollars = { currency: "USD", rate: 7.2 };

/**
 * Models that no provider has, with prices that nobody charges. Their names say that they are an example, wherever they show: no price
 * is shipped that could be taken for a provider's.
 */
export const EXAMPLE_MODELS: readonly ModelInput[] = [
  { name: "example/atlas-large", ...dollars, input_price: 2.5, output_price: 10, cached_input_price: 1.25 },
  { name: "example/atlas-medium", ...dollars, input_price: 0.8, output_price: 3.2, cached_input_price: 0.4 },
  { name: "example/atlas-mini", ...dollars, input_price: 0.15, output_price: 0.6, cached_input_price: 0.075 },
  { name: "example/atlas-reason", ...dollars, input_price: 1.1, output_price: 4.4, cached_input_price: 0.55 },
  { name: "example/lotus-max", input_price: 12, output_price: 36, cached_input_price: 2.4 },
  { name: "example/lotus-plus", input_price: 4, output_price: 12, cached_input_price: 0.8 },
  { name: "example/lotus-turbo", input_price: 0.8, output_price: 2, cached_input_price: 0.16 },
  { name: "example/lotus-coder", aliases: ["example/coder"], input_price: 6, output_price: 18 },
  { name: "example/pine-chat", input_price: 2, output_price: 3, cached_input_price: 0.2 },
  { name: "example/pine-chat", input_price: 1.8, output_price: 3, cached_input_price: 0.2, valid_from: "2026-06-01" },
  { name: "example/pine-embed", input_price: 0.5, output_price: 0, max_output_tokens: null },
  { name: "example/cedar-*", ...dollars, input_price: 5, output_price: 25, cached_input_price: 0.5 },
  { name: "example/open-8b", input_price: 0, output_price: 0 },
].map((model) => ({ max_output_tokens: 8192, ...model }));
