from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.api_key_details import ApiKeyDetails
from ...models.error import Error
from ...types import Response


def _get_kwargs(
    apikey_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/apikeys/{apikey_id}".format(
            apikey_id=quote(str(apikey_id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ApiKeyDetails | Error | None:
    if response.status_code == 200:
        response_200 = ApiKeyDetails.from_dict(response.json())

        return response_200

    if response.status_code == 401:
        response_401 = Error.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Error.from_dict(response.json())

        return response_403

    if response.status_code == 404:
        response_404 = Error.from_dict(response.json())

        return response_404

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
) -> Response[ApiKeyDetails | Error]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    apikey_id: str,
    *,
    client: AuthenticatedClient,
) -> Response[ApiKeyDetails | Error]:
    """Read one API key

     A key with its limits and its status, revoked ones too. Never its value.

    Args:
        apikey_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ApiKeyDetails | Error]
    """

    kwargs = _get_kwargs(
        apikey_id=apikey_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    apikey_id: str,
    *,
    client: AuthenticatedClient,
) -> ApiKeyDetails | Error | None:
    """Read one API key

     A key with its limits and its status, revoked ones too. Never its value.

    Args:
        apikey_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ApiKeyDetails | Error
    """

    return sync_detailed(
        apikey_id=apikey_id,
        client=client,
    ).parsed


async def asyncio_detailed(
    apikey_id: str,
    *,
    client: AuthenticatedClient,
) -> Response[ApiKeyDetails | Error]:
    """Read one API key

     A key with its limits and its status, revoked ones too. Never its value.

    Args:
        apikey_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ApiKeyDetails | Error]
    """

    kwargs = _get_kwargs(
        apikey_id=apikey_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    apikey_id: str,
    *,
    client: AuthenticatedClient,
) -> ApiKeyDetails | Error | None:
    """Read one API key

     A key with its limits and its status, revoked ones too. Never its value.

    Args:
        apikey_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ApiKeyDetails | Error
    """

    return (
        await asyncio_detailed(
            apikey_id=apikey_id,
            client=client,
        )
    ).parsed
