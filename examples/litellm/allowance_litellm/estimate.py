"""The most that a call may cost, from LiteLLM's prices."""

import os
import re
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from typing import Any

from litellm import Router

from .service import Refusal

YUAN_PER_USD = Decimal(os.environ["YUAN_PER_USD"])
PICTURE_TOKENS = 5_000
INLINE_PICTURE = re.compile(rb"data:image/[\w.+-]+;base64,[A-Za-z0-9+/=]+")
ABOVE = re.compile(r"_above_(\d+)k_tokens")


def yuan(usd: Decimal | float, rounding: str = ROUND_HALF_EVEN) -> float:
    """Dollars as yuan, with the nine decimals that Allowance stores."""
    return float((Decimal(str(usd)) * YUAN_PER_USD).quantize(Decimal("1e-9"), rounding))


def hold_for(router: Router | None, call: dict[str, Any], sent: bytes) -> dict[str, float]:
    """`amount` in yuan, and both prices in yuan per million tokens, for a call with this body.

    The dearest deployment of the model counts.
    Raises Refusal: 404 for a model without a price, 400 for a call that may cost any amount.
    """
    if call.get("fallbacks") is not None:
        raise Refusal(400, "invalid_value", "fallbacks: must not be sent; they are not checked")
    model = call["model"]
    deployments = router.get_model_list_of_routed_group(model) if router and model else []
    # No text has more tokens than bytes.
    inputs = len(INLINE_PICTURE.sub(b"", sent)) + sent.count(b'"image_url"') * PICTURE_TOKENS
    most = {"amount": Decimal(0), "input_price": Decimal(0), "output_price": Decimal(0)}
    for deployment in deployments:
        id, name = deployment["model_info"]["id"], deployment["litellm_params"]["model"]
        info: Any = router and router.get_deployment_model_info(id, name) or {}
        if None in (info.get("input_cost_per_token"), info.get("output_cost_per_token")):
            deployments = []
            break
        prices = {key: price for key, price in info.items() if _applies(key, inputs, call)}
        # Writing to a cache, and thinking, may cost more than the ceilings speak of.
        read = _dearest(prices, "input_cost_per_token", "cache_creation_input_token_cost")
        written = _dearest(prices, "output_cost_per_token", "output_cost_per_reasoning_token")
        outputs = _output_tokens(call, info) if written else 0
        found = {
            "amount": inputs * read + outputs * written,
            "input_price": 1_000_000 * _dearest(prices, "input_cost_per_token"),
            "output_price": 1_000_000 * _dearest(prices, "output_cost_per_token"),
        }
        most = {name: max(most[name], found[name]) for name in most}
    if not deployments:
        raise Refusal(404, "unknown_model", "model: must be one that has a price here")
    return {name: yuan(usd, ROUND_CEILING) for name, usd in most.items()}


def _applies(key: str, inputs: int, call: dict[str, Any]) -> bool:
    """Whether a price counts for a call of this length and service tier."""
    above = ABOVE.search(key)
    is_urgent = call.get("service_tier") not in (None, "default", "flex")
    is_reached = above is None or inputs > int(above[1]) * 1_000
    return is_reached and (is_urgent or "_priority" not in key)


def _dearest(prices: dict[str, Any], *names: str) -> Decimal:
    """The highest of the prices per token whose names begin like this."""
    found = [price for key, price in prices.items() if key.startswith(names)]
    return max(Decimal(str(price)) for price in found if isinstance(price, int | float))


def _output_tokens(call: dict[str, Any], info: dict[str, Any]) -> int:
    sent = [call[name] for name in ("max_tokens", "max_completion_tokens") if call.get(name)]
    prompt = call.get("prompt")
    is_many = isinstance(prompt, list) and len(prompt) > 0 and not isinstance(prompt[0], int)
    answers = [call.get("n") or 1, call.get("best_of") or 1]
    factors = [
        sent or [info.get("max_output_tokens") or 0],
        answers,
        [len(prompt or "") if is_many else 1],
    ]
    if not all(isinstance(value, int) and value > 0 for values in factors for value in values):
        raise Refusal(400, "invalid_value", "max_tokens, n: must be whole numbers above 0")
    return max(factors[0]) * max(factors[1]) * max(factors[2])
