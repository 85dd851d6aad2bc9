"""Who calls: LiteLLM's `custom_auth`."""

import hashlib
import re

from fastapi import Request
from litellm.proxy._types import UserAPIKeyAuth
from litellm.proxy.auth.auth_utils import get_request_route
from pydantic import PrivateAttr

from .service import Refusal, ask, refusal_of

SPENDS = re.compile(r"(/v1)?/(chat/completions|completions|embeddings|responses|messages)")
LISTS = re.compile(r"(/v1)?/models(/.+)?")


class Caller(UserAPIKeyAuth):
    """Who makes a call; LiteLLM knows a hash. Private attributes are never printed or stored."""

    _apikey: str = PrivateAttr()
    _route: str = PrivateAttr()
    _bytes: int = PrivateAttr()
    _hold: str | None = PrivateAttr(default=None)


async def user_api_key_auth(request: Request, api_key: str) -> UserAPIKeyAuth:
    """Lets a caller in. A call that spends is judged by the logger's first hook, with its model.

    Raises Refusal: 401 for a key that is not good, 404 for what cannot be priced.
    """
    if not api_key:
        raise Refusal(401, "key_not_found", "Send your API key: Authorization: Bearer <API_KEY>")
    route = get_request_route(request)
    if request.method == "GET" and LISTS.fullmatch(route):
        answer = await ask("/check", {"apikey": api_key, "scope": "key"})
        if answer["allowed"] is not True:
            raise refusal_of(answer)
    elif request.method != "POST" or not SPENDS.fullmatch(route):
        raise Refusal(404, "unknown_url", "There is no such endpoint.")
    caller = Caller(api_key=hashlib.sha256(api_key.encode()).hexdigest())
    caller._apikey, caller._route, caller._bytes = api_key, route, len(await request.body())
    return caller
