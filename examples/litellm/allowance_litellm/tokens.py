"""The most tokens that a call may use, and those that it has used."""

from typing import Any

from .service import Refusal

#: With these, the model that answers, or its most tokens, would not be what the hold was for.
NOT_CHECKED = (
    "fallbacks",
    "context_window_fallbacks",
    "content_policy_fallbacks",
    "extra_body",
    "background",
)


def most_of(route: str, call: dict[str, Any]) -> dict[str, Any]:
    """What an authorization is for. Without `max_output_tokens` it is for the most of the model.

    Raises Refusal 400 for a call whose model or most tokens are not known.
    """
    model = call.get("model")
    # LiteLLM sends a call to each model of a list.
    if not isinstance(model, str) or "," in model:
        raise Refusal(400, "invalid_value", "model: must be the name of one model")
    for name in NOT_CHECKED:
        if call.get(name):
            raise Refusal(400, "invalid_value", f"{name}: must not be sent; it is not checked")
    if route.endswith("embeddings"):
        return {"model": model, "max_output_tokens": 0}
    names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
    most = [call[name] for name in names if call.get(name) is not None]
    prompt = call.get("prompt")
    is_many = isinstance(prompt, list) and len(prompt) > 0 and not isinstance(prompt[0], int)
    answers = [call.get("n") or 1, call.get("best_of") or 1, 1]
    if not all(type(value) is int and value > 0 for value in most + answers):
        raise Refusal(400, "invalid_value", "max_tokens, n: must be whole numbers above 0")
    times = max(answers) * (len(prompt or "") if is_many else 1)
    if most:
        return {"model": model, "max_output_tokens": max(most) * times}
    if times > 1:
        raise Refusal(400, "invalid_value", "max_tokens: must be sent with several answers")
    return {"model": model}


def usage_of(told: dict[str, Any]) -> dict[str, int] | None:
    """LiteLLM's usage as Allowance counts it; None where none is told."""
    used, answered = told.get("prompt_tokens") or 0, told.get("completion_tokens") or 0
    if used + answered == 0:
        return None
    cached = (told.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return {
        "input_tokens": used,
        "cached_input_tokens": min(cached, used),
        "output_tokens": answered,
    }
