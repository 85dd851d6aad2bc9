from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.delete_saved_filter_result import DeleteSavedFilterResult
from ...models.error import Error
from ...types import Response


def _get_kwargs(
    filter_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/saved_filters/{filter_id}/delete".format(
            filter_id=quote(str(filter_id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> DeleteSavedFilterResult | Error | None:
    if response.status_code == 200:
        response_200 = DeleteSavedFilterResult.from_dict(response.json())

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
) -> Response[DeleteSavedFilterResult | Error]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    filter_id: str,
    *,
    client: AuthenticatedClient,
) -> Response[DeleteSavedFilterResult | Error]:
    """Delete a saved filter

     Deletes a saved filter. What it shows stays.

    Args:
        filter_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeleteSavedFilterResult | Error]
    """

    kwargs = _get_kwargs(
        filter_id=filter_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    filter_id: str,
    *,
    client: AuthenticatedClient,
) -> DeleteSavedFilterResult | Error | None:
    """Delete a saved filter

     Deletes a saved filter. What it shows stays.

    Args:
        filter_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeleteSavedFilterResult | Error
    """

    return sync_detailed(
        filter_id=filter_id,
        client=client,
    ).parsed


async def asyncio_detailed(
    filter_id: str,
    *,
    client: AuthenticatedClient,
) -> Response[DeleteSavedFilterResult | Error]:
    """Delete a saved filter

     Deletes a saved filter. What it shows stays.

    Args:
        filter_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeleteSavedFilterResult | Error]
    """

    kwargs = _get_kwargs(
        filter_id=filter_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    filter_id: str,
    *,
    client: AuthenticatedClient,
) -> DeleteSavedFilterResult | Error | None:
    """Delete a saved filter

     Deletes a saved filter. What it shows stays.

    Args:
        filter_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeleteSavedFilterResult | Error
    """

    return (
        await asyncio_detailed(
            filter_id=filter_id,
            client=client,
        )
    ).parsed
