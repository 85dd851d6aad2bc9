from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.authorization import Authorization
from ...models.authorize_input import AuthorizeInput
from ...models.error import Error
from ...types import Response


def _get_kwargs(
    *,
    body: AuthorizeInput,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/authorizations",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Authorization | Error | None:
    if response.status_code == 200:
        response_200 = Authorization.from_dict(response.json())

        return response_200

    if response.status_code == 400:
        response_400 = Error.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Error.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Error.from_dict(response.json())

        return response_403

    if response.status_code == 409:
        response_409 = Error.from_dict(response.json())

        return response_409

    if response.status_code == 413:
        response_413 = Error.from_dict(response.json())

        return response_413

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
) -> Response[Authorization | Error]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: AuthorizeInput,
) -> Response[Authorization | Error]:
    """Authorize spend

     Holds an amount on a key, before the call that will cost it. The amount is sent, or comes from the
    model, its tokens and the catalogue. A refusal is an answer with `allowed: false`. The same
    `request_id` again gives the same authorization while that is held, and 409 afterwards. Takes the
    default key, for the keys of its account, or a gateway's token, for those of the accounts that it
    serves.

    Args:
        body (AuthorizeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Authorization | Error]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: AuthorizeInput,
) -> Authorization | Error | None:
    """Authorize spend

     Holds an amount on a key, before the call that will cost it. The amount is sent, or comes from the
    model, its tokens and the catalogue. A refusal is an answer with `allowed: false`. The same
    `request_id` again gives the same authorization while that is held, and 409 afterwards. Takes the
    default key, for the keys of its account, or a gateway's token, for those of the accounts that it
    serves.

    Args:
        body (AuthorizeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Authorization | Error
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: AuthorizeInput,
) -> Response[Authorization | Error]:
    """Authorize spend

     Holds an amount on a key, before the call that will cost it. The amount is sent, or comes from the
    model, its tokens and the catalogue. A refusal is an answer with `allowed: false`. The same
    `request_id` again gives the same authorization while that is held, and 409 afterwards. Takes the
    default key, for the keys of its account, or a gateway's token, for those of the accounts that it
    serves.

    Args:
        body (AuthorizeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Authorization | Error]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: AuthorizeInput,
) -> Authorization | Error | None:
    """Authorize spend

     Holds an amount on a key, before the call that will cost it. The amount is sent, or comes from the
    model, its tokens and the catalogue. A refusal is an answer with `allowed: false`. The same
    `request_id` again gives the same authorization while that is held, and 409 afterwards. Takes the
    default key, for the keys of its account, or a gateway's token, for those of the accounts that it
    serves.

    Args:
        body (AuthorizeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Authorization | Error
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
