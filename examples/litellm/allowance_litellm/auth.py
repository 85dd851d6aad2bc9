"""Who calls: LiteLLM's `custom_auth`."""

import hashlib
import re

from fastapi import Request
from litellm.proxy._types import UserAPIKeyAuth
from litellm.proxy.auth.auth_utils import get_request_route
from pydantic import PrivateAttr

from .service import Refusal, ask, refusal_of

SPENDS = re.compile(r"(/v1)?/(chat/completions|completions|embeddings)")
LISTS = re.compile(r"(/v1)?/models(/.+)?")


class Caller(UserAPIKeyAuth):
    """A caller, known to LiteLLM by a hash. Private attributes are never printed or stored."""

    _apikey: str = PrivateAttr()
    _body: bytes = PrivateAttr()


async def user_api_key_auth(request: Request, api_key: str) -> UserAPIKeyAuth:
    """Lets a caller in. A call that spends is judged by the logger's first hook, with its model.

    Raises Refusal: 401 for a key that is not good, 404 where LiteLLM has no cost to capture.
    """
    if not api_key:
        raise Refusal(401, "key_not_found", "Send your API key: Authorization: Bearer <API_KEY>")
    route = get_request_route(request)
    if request.method == "GET" and LISTS.fullmatch(route):
        answer = await ask("/check", {"apikey": api_key, "amount": 0})
        if answer["code"] and refusal_of(answer).code == "401":
            raise refusal_of(answer)
    elif request.method != "POST" or not SPENDS.fullmatch(route):
        raise Refusal(404, "unknown_url", "There is no such endpoint.")
    caller = Caller(api_key=hashlib.sha256(api_key.encode()).hexdigest())
    caller._apikey, caller._body = api_key, await request.body()
    return caller
