from http import HTTPStatus
from typing import Any, cast

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.check_authorization_by_headers_allowance_scope import CheckAuthorizationByHeadersAllowanceScope
from ...models.error import Error
from ...models.refused_check import RefusedCheck
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    allowance_key: str | Unset = UNSET,
    allowance_key_hash: str | Unset = UNSET,
    allowance_scope: CheckAuthorizationByHeadersAllowanceScope | Unset = UNSET,
    allowance_amount: float | Unset = UNSET,
    allowance_input_price: float | Unset = UNSET,
    allowance_output_price: float | Unset = UNSET,
    allowance_model: str | Unset = UNSET,
    allowance_input_tokens: int | Unset = UNSET,
    allowance_max_output_tokens: int | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(allowance_key, Unset):
        headers["Allowance-Key"] = allowance_key

    if not isinstance(allowance_key_hash, Unset):
        headers["Allowance-Key-Hash"] = allowance_key_hash

    if not isinstance(allowance_scope, Unset):
        headers["Allowance-Scope"] = str(allowance_scope)

    if not isinstance(allowance_amount, Unset):
        headers["Allowance-Amount"] = str(allowance_amount)

    if not isinstance(allowance_input_price, Unset):
        headers["Allowance-Input-Price"] = str(allowance_input_price)

    if not isinstance(allowance_output_price, Unset):
        headers["Allowance-Output-Price"] = str(allowance_output_price)

    if not isinstance(allowance_model, Unset):
        headers["Allowance-Model"] = allowance_model

    if not isinstance(allowance_input_tokens, Unset):
        headers["Allowance-Input-Tokens"] = str(allowance_input_tokens)

    if not isinstance(allowance_max_output_tokens, Unset):
        headers["Allowance-Max-Output-Tokens"] = str(allowance_max_output_tokens)

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/authorizations/check",
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Any | Error | RefusedCheck | None:
    if response.status_code == 204:
        response_204 = cast(Any, None)
        return response_204

    if response.status_code == 400:
        response_400 = Error.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = RefusedCheck.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = RefusedCheck.from_dict(response.json())

        return response_403

    if response.status_code == 429:
        response_429 = Error.from_dict(response.json())

        return response_429

    if response.status_code == 503:
        response_503 = Error.from_dict(response.json())

        return response_503

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Any | Error | RefusedCheck]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    allowance_key: str | Unset = UNSET,
    allowance_key_hash: str | Unset = UNSET,
    allowance_scope: CheckAuthorizationByHeadersAllowanceScope | Unset = UNSET,
    allowance_amount: float | Unset = UNSET,
    allowance_input_price: float | Unset = UNSET,
    allowance_output_price: float | Unset = UNSET,
    allowance_model: str | Unset = UNSET,
    allowance_input_tokens: int | Unset = UNSET,
    allowance_max_output_tokens: int | Unset = UNSET,
) -> Response[Any | Error | RefusedCheck]:
    """Check by headers whether a call would be authorized

     For a proxy that can send headers alone and knows an answer by its status, as nginx does with
    `auth_request`. Holds nothing. The gateway's own token or default key is in `Authorization`, the key
    of its caller in `Allowance-Key`. The body of a refusal has `code` and `refusal` too, as the answer
    to a check in a body.

    Args:
        allowance_key (str | Unset):
        allowance_key_hash (str | Unset):
        allowance_scope (CheckAuthorizationByHeadersAllowanceScope | Unset):
        allowance_amount (float | Unset):
        allowance_input_price (float | Unset):
        allowance_output_price (float | Unset):
        allowance_model (str | Unset):
        allowance_input_tokens (int | Unset):
        allowance_max_output_tokens (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Error | RefusedCheck]
    """

    kwargs = _get_kwargs(
        allowance_key=allowance_key,
        allowance_key_hash=allowance_key_hash,
        allowance_scope=allowance_scope,
        allowance_amount=allowance_amount,
        allowance_input_price=allowance_input_price,
        allowance_output_price=allowance_output_price,
        allowance_model=allowance_model,
        allowance_input_tokens=allowance_input_tokens,
        allowance_max_output_tokens=allowance_max_output_tokens,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    allowance_key: str | Unset = UNSET,
    allowance_key_hash: str | Unset = UNSET,
    allowance_scope: CheckAuthorizationByHeadersAllowanceScope | Unset = UNSET,
    allowance_amount: float | Unset = UNSET,
    allowance_input_price: float | Unset = UNSET,
    allowance_output_price: float | Unset = UNSET,
    allowance_model: str | Unset = UNSET,
    allowance_input_tokens: int | Unset = UNSET,
    allowance_max_output_tokens: int | Unset = UNSET,
) -> Any | Error | RefusedCheck | None:
    """Check by headers whether a call would be authorized

     For a proxy that can send headers alone and knows an answer by its status, as nginx does with
    `auth_request`. Holds nothing. The gateway's own token or default key is in `Authorization`, the key
    of its caller in `Allowance-Key`. The body of a refusal has `code` and `refusal` too, as the answer
    to a check in a body.

    Args:
        allowance_key (str | Unset):
        allowance_key_hash (str | Unset):
        allowance_scope (CheckAuthorizationByHeadersAllowanceScope | Unset):
        allowance_amount (float | Unset):
        allowance_input_price (float | Unset):
        allowance_output_price (float | Unset):
        allowance_model (str | Unset):
        allowance_input_tokens (int | Unset):
        allowance_max_output_tokens (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Error | RefusedCheck
    """

    return sync_detailed(
        client=client,
        allowance_key=allowance_key,
        allowance_key_hash=allowance_key_hash,
        allowance_scope=allowance_scope,
        allowance_amount=allowance_amount,
        allowance_input_price=allowance_input_price,
        allowance_output_price=allowance_output_price,
        allowance_model=allowance_model,
        allowance_input_tokens=allowance_input_tokens,
        allowance_max_output_tokens=allowance_max_output_tokens,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    allowance_key: str | Unset = UNSET,
    allowance_key_hash: str | Unset = UNSET,
    allowance_scope: CheckAuthorizationByHeadersAllowanceScope | Unset = UNSET,
    allowance_amount: float | Unset = UNSET,
    allowance_input_price: float | Unset = UNSET,
    allowance_output_price: float | Unset = UNSET,
    allowance_model: str | Unset = UNSET,
    allowance_input_tokens: int | Unset = UNSET,
    allowance_max_output_tokens: int | Unset = UNSET,
) -> Response[Any | Error | RefusedCheck]:
    """Check by headers whether a call would be authorized

     For a proxy that can send headers alone and knows an answer by its status, as nginx does with
    `auth_request`. Holds nothing. The gateway's own token or default key is in `Authorization`, the key
    of its caller in `Allowance-Key`. The body of a refusal has `code` and `refusal` too, as the answer
    to a check in a body.

    Args:
        allowance_key (str | Unset):
        allowance_key_hash (str | Unset):
        allowance_scope (CheckAuthorizationByHeadersAllowanceScope | Unset):
        allowance_amount (float | Unset):
        allowance_input_price (float | Unset):
        allowance_output_price (float | Unset):
        allowance_model (str | Unset):
        allowance_input_tokens (int | Unset):
        allowance_max_output_tokens (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Error | RefusedCheck]
    """

    kwargs = _get_kwargs(
        allowance_key=allowance_key,
        allowance_key_hash=allowance_key_hash,
        allowance_scope=allowance_scope,
        allowance_amount=allowance_amount,
        allowance_input_price=allowance_input_price,
        allowance_output_price=allowance_output_price,
        allowance_model=allowance_model,
        allowance_input_tokens=allowance_input_tokens,
        allowance_max_output_tokens=allowance_max_output_tokens,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    allowance_key: str | Unset = UNSET,
    allowance_key_hash: str | Unset = UNSET,
    allowance_scope: CheckAuthorizationByHeadersAllowanceScope | Unset = UNSET,
    allowance_amount: float | Unset = UNSET,
    allowance_input_price: float | Unset = UNSET,
    allowance_output_price: float | Unset = UNSET,
    allowance_model: str | Unset = UNSET,
    allowance_input_tokens: int | Unset = UNSET,
    allowance_max_output_tokens: int | Unset = UNSET,
) -> Any | Error | RefusedCheck | None:
    """Check by headers whether a call would be authorized

     For a proxy that can send headers alone and knows an answer by its status, as nginx does with
    `auth_request`. Holds nothing. The gateway's own token or default key is in `Authorization`, the key
    of its caller in `Allowance-Key`. The body of a refusal has `code` and `refusal` too, as the answer
    to a check in a body.

    Args:
        allowance_key (str | Unset):
        allowance_key_hash (str | Unset):
        allowance_scope (CheckAuthorizationByHeadersAllowanceScope | Unset):
        allowance_amount (float | Unset):
        allowance_input_price (float | Unset):
        allowance_output_price (float | Unset):
        allowance_model (str | Unset):
        allowance_input_tokens (int | Unset):
        allowance_max_output_tokens (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Error | RefusedCheck
    """

    return (
        await asyncio_detailed(
            client=client,
            allowance_key=allowance_key,
            allowance_key_hash=allowance_key_hash,
            allowance_scope=allowance_scope,
            allowance_amount=allowance_amount,
            allowance_input_price=allowance_input_price,
            allowance_output_price=allowance_output_price,
            allowance_model=allowance_model,
            allowance_input_tokens=allowance_input_tokens,
            allowance_max_output_tokens=allowance_max_output_tokens,
        )
    ).parsed
