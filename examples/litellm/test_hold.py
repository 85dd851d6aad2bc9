"""The most that a call may cost. Run by e2e/rest/example-litellm.spec.ts."""

import json
import unittest
from typing import Any

from litellm import Router

from allowance_litellm.estimate import hold_for
from allowance_litellm.service import Refusal

DOLLARS = {"input_cost_per_token": 1e-6, "output_cost_per_token": 3e-6}
KINDS: dict[str, list[dict[str, Any]]] = {
    "plain": [DOLLARS | {"max_output_tokens": 1_000}],
    "boundless": [DOLLARS],
    "free": [{"input_cost_per_token": 0, "output_cost_per_token": 0}],
    "halfway": [DOLLARS, {}],
    "several": [DOLLARS, DOLLARS | {"output_cost_per_token": 4e-6}],
    "long": [DOLLARS | {"input_cost_per_token_above_1k_tokens": 2e-6}],
    "urgent": [DOLLARS | {"input_cost_per_token_priority": 5e-6}],
    "thinking": [DOLLARS | {"output_cost_per_reasoning_token": 6e-6}],
    "writing": [DOLLARS | {"cache_creation_input_token_cost": 1.25e-6}],
}
ROUTER = Router(
    model_list=[
        {
            "model_name": kind,
            "litellm_params": {"model": f"openai/{kind}-{number}", "api_key": "none"},
            "model_info": prices,
        }
        for kind, deployments in KINDS.items()
        for number, prices in enumerate(deployments)
    ]
)


def hold(model: str, sent: bytes | None = None, **more: object) -> dict[str, float]:
    call = {"model": model, **more}
    return hold_for(ROUTER, call, json.dumps(call).encode() if sent is None else sent)


class Hold(unittest.TestCase):
    def test_a_byte_is_a_token_and_the_output_is_bounded(self) -> None:
        expected = {"amount": 0.0072 + 0.00216, "input_price": 7.2, "output_price": 21.6}
        self.assertEqual(hold("plain", b"a" * 1_000, max_tokens=100), expected)

    def test_the_output(self) -> None:
        for answers, more in {
            1: {"max_tokens": 1_000},
            2: {"max_completion_tokens": 2_000, "max_tokens": 1_000},
            3: {"n": 3},
            4: {"n": 1, "best_of": 2, "prompt": ["a", "b"]},
            5: {"prompt": [[1], [2], [3], [4], [5]]},
            6: {"prompt": [1, 2, 3], "n": 6},
        }.items():
            self.assertEqual(hold("plain", b"", **more)["amount"], round(answers * 0.0216, 9))

    def test_pictures(self) -> None:
        picture = b'{"image_url": {"url": "data:image/png;base64,' + b"A" * 1_000_000 + b'"}}'
        self.assertAlmostEqual(hold("plain", picture, max_tokens=1)["amount"], 0.0363, 3)

    def test_the_dearest_counts(self) -> None:
        self.assertEqual(hold("several", b"", max_tokens=1)["output_price"], 28.8)
        self.assertEqual(hold("long", b"a" * 1_000, max_tokens=1)["input_price"], 7.2)
        self.assertEqual(hold("long", b"a" * 1_001, max_tokens=1)["input_price"], 14.4)
        self.assertEqual(hold("urgent", max_tokens=1)["input_price"], 7.2)
        self.assertEqual(hold("urgent", max_tokens=1, service_tier="priority")["input_price"], 36)

    def test_what_the_ceilings_do_not_speak_of(self) -> None:
        thinking = hold("thinking", b"", max_tokens=1_000)
        self.assertEqual((thinking["amount"], thinking["output_price"]), (0.0432, 21.6))
        writing = hold("writing", b"a" * 1_000, max_tokens=1)
        self.assertEqual((writing["amount"], writing["input_price"]), (0.0090216, 7.2))

    def test_free(self) -> None:
        self.assertEqual(hold("free"), {"amount": 0, "input_price": 0, "output_price": 0})

    def test_refused(self) -> None:
        for code, model, more in [
            ("unknown_model", "halfway", {"max_tokens": 1}),
            ("unknown_model", "nowhere", {}),
            ("unknown_model", "plain,several", {}),
            ("unknown_model", None, {}),
            ("invalid_value", "boundless", {}),
            ("invalid_value", "plain", {"max_tokens": -1}),
            ("invalid_value", "plain", {"max_tokens": "many"}),
            ("invalid_value", "plain", {"n": -1}),
            ("invalid_value", "plain", {"n": 1.5}),
            ("invalid_value", "plain", {"fallbacks": ["several"]}),
        ]:
            with self.subTest(model=model, more=more), self.assertRaises(Refusal) as refused:
                hold(model, **more)
            self.assertEqual(refused.exception.type, code)
