"""The usual calls of Allowance, a method each."""

import copy
import json
import time
import uuid
from typing import TypeVar

import httpx

from allowance_client import AuthenticatedClient
from allowance_client.api.api_keys import create_api_key, set_api_key_limits
from allowance_client.api.authorizations import authorize, capture_authorization, void_authorization
from allowance_client.api.groups import create_group, list_groups, set_group_limits
from allowance_client.models import (
    Authorization,
    AuthorizeInput,
    CaptureAuthorizationInput,
    CreateApiKeyInput,
    CreatedApiKey,
    CreatedGroup,
    CreateGroupInput,
    Error,
    ListGroupsResult,
    SetApiKeyLimitsInput,
    SetApiKeyLimitsResult,
    SetGroupLimitsInput,
    SetGroupLimitsResult,
    SettledAuthorization,
)

__all__ = ["Allowance", "AllowanceError"]

Answer = TypeVar("Answer")


class AllowanceError(Exception):
    """A call that failed, with what the API said. `request_id` stands in the log of the server too."""

    def __init__(self, status: int, message: str, request_id: str | None) -> None:
        super().__init__(message)
        self.status, self.request_id = status, request_id


class Allowance:
    """The API of Allowance. Each method raises `AllowanceError` when the API refuses the call.

    A call that is answered with `Retry-After` is made again after that time: after 429, because
    nothing was done, and after 503 where making it twice has the same effect as making it once.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        retries: int = 3,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Takes the default key of an account or, for authorizations and the models of a key alone, a gateway's token.

        A call is made again `retries` times at most. `transport` sends the requests.
        """
        #: For every operation of the API: `get_overview.sync(client=allowance.client)`. They raise like the methods.
        self.client = AuthenticatedClient(base_url=base_url, token=key)
        self.client.set_httpx_client(
            httpx.Client(
                base_url=base_url,
                headers={"Authorization": f"Bearer {key}"},
                transport=_Retrying(transport or httpx.HTTPTransport(), retries),
                timeout=60,
            )
        )

    def create_group(self, body: CreateGroupInput) -> CreatedGroup:
        return _answer_of(create_group.sync(client=self.client, body=body))

    def list_groups(self) -> ListGroupsResult:
        return _answer_of(list_groups.sync(client=self.client))

    def create_key(self, body: CreateApiKeyInput) -> CreatedApiKey:
        return _answer_of(create_api_key.sync(client=self.client, body=body))

    def set_limits(self, apikey_id: str, body: SetApiKeyLimitsInput) -> SetApiKeyLimitsResult:
        """A limit that is not sent stays; an `expiry_date` that is not sent is cleared."""
        return _answer_of(set_api_key_limits.sync(apikey_id, client=self.client, body=body))

    def set_group_limits(self, group_id: str, body: SetGroupLimitsInput) -> SetGroupLimitsResult:
        """What is not sent stays on every key of the group, `expiry_date` too."""
        return _answer_of(set_group_limits.sync(group_id, client=self.client, body=body))

    def authorize(self, body: AuthorizeInput) -> Authorization:
        """Holds what a call may cost at most. A refusal is an answer with `allowed=False`.

        A body without a `request_id` is sent with one, so that it holds once however often it is sent.
        """
        named = copy.copy(body)
        named.request_id = body.request_id or uuid.uuid4().hex
        return _answer_of(authorize.sync(client=self.client, body=named))

    def capture(self, authorization_id: str, body: CaptureAuthorizationInput) -> SettledAuthorization:
        """Counts what the call cost, and ends the hold."""
        return _answer_of(capture_authorization.sync(authorization_id, client=self.client, body=body))

    def void(self, authorization_id: str) -> SettledAuthorization:
        """Ends the hold of a call that was not made."""
        return _answer_of(void_authorization.sync(authorization_id, client=self.client))


class _Retrying(httpx.BaseTransport):
    """Sends a request, and again when the answer says after how many seconds. Raises `AllowanceError` for an error."""

    def __init__(self, transport: httpx.BaseTransport, retries: int) -> None:
        self._transport, self._retries = transport, retries

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        left = self._retries
        while True:
            response = self._transport.handle_request(request)
            if response.status_code < 400:
                return response
            response.read()
            response.close()
            seconds = response.headers.get("Retry-After", "")
            is_undone = response.status_code == 429
            is_safe = is_undone or response.status_code == 503 and _is_repeatable(request)
            if left == 0 or not is_safe or not seconds.isdigit():
                raise _error_of(response)
            left -= 1
            time.sleep(int(seconds))

    def close(self) -> None:
        self._transport.close()


def _is_repeatable(request: httpx.Request) -> bool:
    """Whether making a call twice has the same effect as making it once."""
    body = json.loads(request.content or b"{}")
    if request.method == "GET" or "request_id" in body:
        return True
    path, is_relative = request.url.path, "change" in body
    return path.endswith(("/capture", "/void", "/check")) or (path.endswith("budget") and not is_relative)


def _error_of(response: httpx.Response) -> AllowanceError:
    try:
        message = str(response.json()["error"])
    except (ValueError, LookupError, TypeError):
        # What stands between may answer with an error of its own.
        message = f"{response.status_code} {response.reason_phrase}"
    return AllowanceError(response.status_code, message, response.headers.get("Request-Id"))


def _answer_of(parsed: Answer | Error | None) -> Answer:
    """The body of an answer. What is none has been raised before, unless something between has answered."""
    if parsed is None or isinstance(parsed, Error):
        raise AllowanceError(502, "the answer is not one of Allowance", None)
    return parsed
