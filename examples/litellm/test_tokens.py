"""The most tokens of a call. Run by e2e/rest/example-litellm.spec.ts."""

import unittest

from allowance_litellm.service import Refusal
from allowance_litellm.tokens import most_of

CHAT, TEXT, RESPONSES = "/v1/chat/completions", "/v1/completions", "/v1/responses"


def most(route: str, **call: object) -> object:
    return most_of(route, {"model": "a", **call}).get("max_output_tokens")


class Most(unittest.TestCase):
    def test_the_output(self) -> None:
        for expected, route, call in [
            (None, CHAT, {}),
            (None, CHAT, {"n": 1, "prompt": "ignored"}),
            (1_000, CHAT, {"max_tokens": 1_000}),
            (4_000, CHAT, {"max_completion_tokens": 2_000, "max_tokens": 1_000, "n": 2}),
            (400, TEXT, {"max_tokens": 100, "n": 1, "best_of": 2, "prompt": ["a", "b"]}),
            (500, TEXT, {"max_tokens": 100, "prompt": [[1], [2], [3], [4], [5]]}),
            (600, TEXT, {"max_tokens": 100, "prompt": [1, 2, 3], "n": 6}),
            (50, RESPONSES, {"max_output_tokens": 50, "background": False}),
            (0, "/v1/embeddings", {"input": ["a", "b"]}),
        ]:
            with self.subTest(call=call):
                self.assertEqual(most(route, **call), expected)

    def test_refused(self) -> None:
        for call in [
            {"model": "a,b"},
            {"model": None},
            {"model": ["a"]},
            {"max_tokens": -1},
            {"max_tokens": 0},
            {"max_tokens": "many"},
            {"max_tokens": True},
            {"max_tokens": 1, "n": -1},
            {"max_tokens": 1, "n": 1.5},
            {"n": 2},
            {"prompt": ["a", "b"]},
            {"fallbacks": ["b"]},
            {"extra_body": {"model": "b"}},
            {"background": True},
        ]:
            with self.subTest(call=call), self.assertRaises(Refusal) as refused:
                most(CHAT, **call)
            self.assertEqual(refused.exception.type, "invalid_value")
