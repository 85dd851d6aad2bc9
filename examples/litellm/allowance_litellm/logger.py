"""A hold before each call, a capture or a void after it: LiteLLM's callbacks."""

import asyncio
import os
import sqlite3
import uuid
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import litellm
from litellm.integrations.custom_logger import CustomLogger
from litellm.types.utils import ModelResponse

from .auth import Caller
from .estimate import hold_for, yuan
from .outbox import Outbox
from .service import ADDRESS, HEADERS, Refusal, ask, log, refusal_of

MAX_HOLD_SECONDS = 24 * 3600
MARK = "allowance"


class AllowanceLogger(CustomLogger):
    """Asks Allowance before a call; puts its cost into the outbox before the caller has it all."""

    def __init__(self) -> None:
        super().__init__()
        self._outbox = Outbox(Path(os.environ["OUTBOX_FOLDER"]), ADDRESS, HEADERS)
        self._outbox.start()

    async def async_pre_call_hook(
        self, user_api_key_dict: Caller, cache: Any, data: dict[str, Any], call_type: str
    ) -> dict[str, Any]:
        """Holds the most that the call may cost. Raises Refusal when it may not be made."""
        from litellm.proxy.proxy_server import llm_router

        call = {
            "apikey": user_api_key_dict._apikey,
            "request_id": uuid.uuid4().hex,
            "ttl_seconds": int(min(litellm.request_timeout + 60, MAX_HOLD_SECONDS)),
            **hold_for(llm_router, data, user_api_key_dict._body),
        }
        hold = await ask("", call)
        if hold["allowed"] is not True:
            raise refusal_of(hold)
        mark = {"authorization_id": hold["authorization_id"], "held": hold["amount"]}
        try:
            await asyncio.to_thread(self._outbox.open, mark["authorization_id"])
        except sqlite3.Error as error:
            log.exception("the outbox cannot be written")
            raise Refusal(
                503, "outbox_away", "Spend cannot be counted now; try again later."
            ) from error
        # Whatever the caller has sent under this name is replaced.
        data.setdefault("metadata", {})[MARK] = mark
        return data

    async def async_post_call_success_deployment_hook(
        self, request_data: dict[str, Any], response: Any, call_type: Any
    ) -> None:
        """A whole answer has come from the model; no other callback has seen it yet."""
        await asyncio.to_thread(self._capture, request_data, lambda: response)

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        """Passes a stream on. Captures at its end, when it breaks, and when the caller leaves."""
        chunks: list[Any] = []
        model = None
        is_cached = (getattr(response, "_hidden_params", None) or {}).get("cache_hit") is True
        try:
            async for chunk in response:
                # LiteLLM puts the name that the caller knows into a chunk after this.
                model = model or chunk.model
                chunks.append(chunk)
                yield chunk
        finally:
            # Nothing is awaited here, because a caller that leaves cancels what waits.
            if chunks and not is_cached:
                self._capture(request_data, lambda: _assembled(chunks, model, request_data))
            else:
                self._void(request_data)

    async def async_log_success_event(
        self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        """A whole answer from LiteLLM's cache, which no other hook has seen, costs nothing."""
        if kwargs.get("cache_hit"):
            self._void(kwargs["litellm_params"])

    async def async_post_call_failure_hook(
        self,
        request_data: dict[str, Any],
        original_exception: Exception,
        user_api_key_dict: Any,
        traceback_str: str | None = None,
    ) -> None:
        """The call has failed. What had come before that is captured already."""
        self._void(request_data)

    def _capture(self, request_data: dict[str, Any], answer: Callable[[], Any]) -> None:
        mark = _mark_of(request_data)
        if mark is None:
            return
        try:
            response = answer()
            usd = request_data["litellm_logging_obj"].response_cost_calculator(result=response)
            is_known = usd is not None and response.usage.total_tokens > 0
        except Exception as error:
            log.error("LiteLLM cannot tell the cost of %s: %s", mark["authorization_id"], error)
            is_known = False
        # An answer whose cost is not known costs what was held.
        self._outbox.settle(
            mark["authorization_id"], "capture", {"amount": yuan(usd) if is_known else mark["held"]}
        )

    def _void(self, request_data: dict[str, Any]) -> None:
        if mark := _mark_of(request_data):
            self._outbox.settle(mark["authorization_id"], "void", {})


def _mark_of(request_data: dict[str, Any]) -> dict[str, Any] | None:
    """The hold of a call; None for one that was refused."""
    return (request_data.get("metadata") or {}).get(MARK)


def _assembled(chunks: list[Any], model: str | None, request_data: dict[str, Any]) -> ModelResponse:
    """What came of a stream: the usage that the model has told, or else a count of its tokens."""
    whole = litellm.stream_chunk_builder(chunks, messages=request_data.get("messages"))
    return ModelResponse(model=model, usage=whole.usage)
