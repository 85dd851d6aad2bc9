import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { AskedNames } from "./call/schema";
import type { ModelCall, QuoteFault } from "./quote";

// What requests and answers say of a call by model.

/** The call of an input that names a model. Its schema has checked that the model and the tokens of the input are there. */
export function modelCallOf(input: {
  model?: string | undefined;
  input_tokens?: number | undefined;
  max_output_tokens?: number | undefined;
}): ModelCall {
  const { model = "", input_tokens: inputTokens = 0, max_output_tokens: maxOutputTokens } = input;
  return { model, inputTokens, maxOutputTokens };
}

/** @param names how the request calls its parameters. */
export function quoteFailure(fault: QuoteFault, { inputTokens, maxOutputTokens }: AskedNames): Failure {
  return fault === "max_output_tokens_unknown"
    ? errors.maxOutputTokensUnknown(maxOutputTokens)
    : errors.costTooLarge(inputTokens);
}
