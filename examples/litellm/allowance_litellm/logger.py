"""A hold before each call, a capture or a void after it: LiteLLM's callbacks."""

import asyncio
import os
import sqlite3
import uuid
from pathlib import Path
from typing import Any

import httpx
import litellm
from litellm.integrations.custom_logger import CustomLogger

from .auth import Caller
from .outbox import Outbox
from .service import ADDRESS, HEADERS, Refusal, ask, log, refusal_of
from .tokens import most_of, usage_of

MAX_HOLD_SECONDS = 24 * 3600
#: A hold that is not settled is captured so long before it ends by itself.
MARGIN_SECONDS = 30
#: The provider has answered with an error, or could not be reached.
COSTS_NOTHING = (httpx.HTTPStatusError, httpx.ConnectError, httpx.ConnectTimeout)
MARK = "allowance_hold"


class AllowanceLogger(CustomLogger):
    """Asks Allowance before a call, and puts what it has used into the outbox."""

    def __init__(self) -> None:
        super().__init__()
        self._outbox = Outbox(Path(os.environ["OUTBOX_FOLDER"]), ADDRESS, HEADERS)
        self._outbox.start()

    async def async_pre_call_hook(
        self, user_api_key_dict: Caller, cache: Any, data: dict[str, Any], call_type: str
    ) -> dict[str, Any]:
        """Holds the most that the call may cost. Raises Refusal when it may not be made."""
        caller = user_api_key_dict
        if caller._hold:
            return data
        seconds = int(min(litellm.request_timeout + 60, MAX_HOLD_SECONDS))
        call = {
            "apikey": caller._apikey,
            "input_tokens": caller._bytes,
            "request_id": uuid.uuid4().hex,
            "ttl_seconds": seconds,
            **most_of(caller._route, data),
        }
        hold = await ask("", call)
        if hold["allowed"] is not True:
            raise refusal_of(hold)
        id, amount = hold["authorization_id"], hold["amount"]
        try:
            await asyncio.to_thread(self._outbox.open, id, amount, seconds - MARGIN_SECONDS)
        except sqlite3.Error as error:
            log.exception("the outbox cannot be written")
            raise Refusal(
                503, "outbox_away", "Spend cannot be counted now; try again later."
            ) from error
        caller._hold = data["litellm_logging_obj"].model_call_details[MARK] = id
        if call_type == "atext_completion" and data.get("stream"):
            # LiteLLM asks for the usage of every other stream by itself.
            data["stream_options"] = {"include_usage": True}
        return data

    async def async_log_success_event(
        self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        """An answer is over: whole, or as far as it came before its caller left."""
        told = kwargs["standard_logging_object"]["metadata"]["usage_object"]
        if kwargs.get("cache_hit"):
            await self._settle(kwargs.get(MARK), "void", {})
        elif usage := usage_of(told or {}):
            await self._settle(kwargs.get(MARK), "capture", {"usage": usage})

    async def async_post_call_failure_hook(
        self,
        request_data: dict[str, Any],
        original_exception: Exception,
        user_api_key_dict: Any,
        traceback_str: str | None = None,
    ) -> None:
        """The call has failed. Voids what cost nothing; all else is captured whole when it is due."""
        was_sent = "first_api_call_start_time" in request_data
        if not was_sent or any(
            isinstance(cause, COSTS_NOTHING) for cause in _causes(original_exception)
        ):
            await self._settle(getattr(user_api_key_dict, "_hold", None), "void", {})

    async def _settle(self, id: str | None, how: str, body: dict[str, Any]) -> None:
        if id:
            await asyncio.to_thread(self._outbox.settle, id, how, body)


def _causes(error: BaseException | None) -> list[BaseException]:
    """An error, and what has led to it."""
    causes: list[BaseException] = []
    while error and error not in causes:
        causes.append(error)
        error = error.__cause__ or error.__context__
    return causes
