import { answerJson, beginStream, type Exchange } from "./fake-upstream";

/** What each answer says. */
export const TEXT = "Good morning.";

/** 11 tokens of input, 4 of them cached, and 7 of output, as the formats tell it. */
const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 4 },
};
const RESPONSE_USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  total_tokens: 18,
};

/** Answers as a provider does: in the format of the endpoint, whole or as a stream. */
export async function answerInFormat(exchange: Exchange): Promise<void> {
  const { url, body, response } = exchange;
  const whole = WHOLE[url.replace(/.*\/v1\//, "")] ?? {};
  if (!body?.stream) return answerJson(response, 200, { model: body?.model, ...whole });
  await beginStream(exchange)(...streamOf(url, body));
  response.end();
}

/** Whole answers, by endpoint. */
const WHOLE: Record<string, object> = {
  "chat/completions": {
    ...{ id: "c1", object: "chat.completion", usage: USAGE },
    choices: [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }],
  },
  completions: {
    id: "c1",
    object: "text_completion",
    choices: [{ index: 0, text: TEXT, finish_reason: "stop" }],
    usage: USAGE,
  },
  embeddings: {
    ...{ object: "list", usage: { prompt_tokens: 11, total_tokens: 11 } },
    data: [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }],
  },
  responses: responseOf("completed"),
  messages: { ...messageOf(7), content: [{ type: "text", text: TEXT }] },
};

function responseOf(status: string): object {
  const content = [{ type: "output_text", text: TEXT, annotations: [] }];
  return {
    ...{ id: "r1", object: "response", created_at: 1, model: "far-model", status, usage: RESPONSE_USAGE },
    output: [{ id: "m1", type: "message", status, role: "assistant", content }],
    ...{ parallel_tool_calls: true, tool_choice: "auto", tools: [] },
  };
}

function messageOf(output_tokens: number): object {
  const usage = { input_tokens: 7, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens };
  return {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "far-claude",
    content: [],
    stop_reason: "end_turn",
    usage,
  };
}

/** A part of a stream of `/v1/chat/completions`; the one without content has the usage. */
export function chunkOf(content?: string, finish_reason: string | null = null): string {
  const choices = content === undefined ? [] : [{ index: 0, delta: { role: "assistant", content }, finish_reason }];
  const usage = content === undefined ? USAGE : null;
  return eventOf({ id: "c1", object: "chat.completion.chunk", model: "far-model", choices, usage });
}

const eventOf = (data: Record<string, unknown>) =>
  `${data.type ? `event: ${data.type}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** The events of a stream. Usage comes where the format has it always, or where it was asked for. */
function streamOf(url: string, { stream_options }: { stream_options?: { include_usage?: boolean } }): string[] {
  const isAsked = stream_options?.include_usage === true;
  if (url.endsWith("/chat/completions"))
    return [
      chunkOf("Good "),
      chunkOf("morning."),
      chunkOf("", "stop"),
      ...(isAsked ? [chunkOf()] : []),
      "data: [DONE]\n\n",
    ];
  if (url.endsWith("/completions")) {
    const text = { id: "c1", object: "text_completion", choices: [{ index: 0, text: TEXT, finish_reason: null }] };
    return [eventOf(text), ...(isAsked ? [eventOf({ ...text, choices: [], usage: USAGE })] : []), "data: [DONE]\n\n"];
  }
  if (url.endsWith("/responses")) {
    const delta = { item_id: "m1", output_index: 0, content_index: 0, delta: TEXT };
    return [
      eventOf({ type: "response.output_text.delta", sequence_number: 0, ...delta }),
      eventOf({ type: "response.completed", sequence_number: 1, response: responseOf("completed") }),
    ];
  }
  return [
    { type: "message_start", message: messageOf(1) },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: TEXT } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
    { type: "message_stop" },
  ].map(eventOf);
}
