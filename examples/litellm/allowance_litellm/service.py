"""Allowance over HTTP, and its refusals as OpenAI's clients know them."""

import asyncio
import logging
import os
import time
from typing import Any

import httpx
from litellm.proxy._types import ProxyException

log = logging.getLogger("allowance")

ADDRESS = os.environ["ALLOWANCE_URL"].rstrip("/") + "/v1/authorizations"
HEADERS = {"Authorization": f"Bearer {os.environ['GATEWAY_TOKEN']}"}
STATUS_OF_CODE = {"account_disabled": 401, "unknown_model": 404, "budget": 402}

_client = httpx.AsyncClient(headers=HEADERS, timeout=3)


class Refusal(ProxyException):
    """An error in OpenAI's shape, with the code of Allowance where LiteLLM writes the status."""

    def __init__(self, status: int, code: str, message: str, until: int | None = None) -> None:
        # OpenAI's clients repeat a 429; a daily limit does not change by repeating.
        headers = {"x-should-retry": str(status >= 500).lower()}
        if until:
            headers["retry-after"] = str(max(1, until - int(time.time())))
        super().__init__(message, code, None, status, headers, openai_code=code)

    def to_dict(self) -> dict[str, Any]:
        return {"message": self.message, "type": self.type, "param": None, "code": self.type}


def refusal_of(answer: dict[str, Any]) -> Refusal:
    """The error for an answer with a `code`: 401 for the key, 403 for a price, 429 for a window."""
    code: str = answer["code"]
    other = 401 if code.startswith("key_") else 403 if code.endswith("_price_limit") else 429
    until = (answer.get("refusal") or {}).get("resets_at")
    return Refusal(STATUS_OF_CODE.get(code, other), code, answer["message"], until)


async def ask(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Asks Allowance, and once more without an answer; a `request_id` holds once.

    Raises Refusal: 400 for what Allowance does not take, 503 without a clear answer, so that no
    call passes while Allowance is away.
    """
    for _ in range(2):
        try:
            answer = await _client.post(ADDRESS + path, json=body)
            if answer.status_code == 200:
                return answer.json()
            if answer.status_code == 400:
                raise Refusal(400, "invalid_value", answer.json()["error"])
            log.error("Allowance answered %s: %s", answer.status_code, answer.text[:300])
        except (httpx.HTTPError, ValueError) as error:
            log.error("Allowance did not answer: %s", type(error).__name__)
        await asyncio.sleep(0.1)
    raise Refusal(503, "allowance_away", "Limits cannot be checked now; try again later.")
