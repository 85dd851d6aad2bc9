from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.change_many_api_keys_input import ChangeManyApiKeysInput
from ...models.change_many_api_keys_result import ChangeManyApiKeysResult
from ...models.error import Error
from ...types import Response


def _get_kwargs(
    *,
    body: ChangeManyApiKeysInput,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/apikeys/batch",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ChangeManyApiKeysResult | Error | None:
    if response.status_code == 200:
        response_200 = ChangeManyApiKeysResult.from_dict(response.json())

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
) -> Response[ChangeManyApiKeysResult | Error]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: ChangeManyApiKeysInput,
) -> Response[ChangeManyApiKeysResult | Error]:
    """Disable, enable, revoke or move many API keys

     Does one thing to each of the keys of a list, or to the keys that match a filter, in the order of
    their ids: the answer then has `next`. What cannot be done is named, with the reason. With `dry_run`
    nothing changes, and the answer says what would happen.

    Args:
        body (ChangeManyApiKeysInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ChangeManyApiKeysResult | Error]
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
    body: ChangeManyApiKeysInput,
) -> ChangeManyApiKeysResult | Error | None:
    """Disable, enable, revoke or move many API keys

     Does one thing to each of the keys of a list, or to the keys that match a filter, in the order of
    their ids: the answer then has `next`. What cannot be done is named, with the reason. With `dry_run`
    nothing changes, and the answer says what would happen.

    Args:
        body (ChangeManyApiKeysInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ChangeManyApiKeysResult | Error
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: ChangeManyApiKeysInput,
) -> Response[ChangeManyApiKeysResult | Error]:
    """Disable, enable, revoke or move many API keys

     Does one thing to each of the keys of a list, or to the keys that match a filter, in the order of
    their ids: the answer then has `next`. What cannot be done is named, with the reason. With `dry_run`
    nothing changes, and the answer says what would happen.

    Args:
        body (ChangeManyApiKeysInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ChangeManyApiKeysResult | Error]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: ChangeManyApiKeysInput,
) -> ChangeManyApiKeysResult | Error | None:
    """Disable, enable, revoke or move many API keys

     Does one thing to each of the keys of a list, or to the keys that match a filter, in the order of
    their ids: the answer then has `next`. What cannot be done is named, with the reason. With `dry_run`
    nothing changes, and the answer says what would happen.

    Args:
        body (ChangeManyApiKeysInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ChangeManyApiKeysResult | Error
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
