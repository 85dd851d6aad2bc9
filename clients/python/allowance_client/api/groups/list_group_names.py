from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.list_group_names_result import ListGroupNamesResult
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    search: str | Unset = UNSET,
    group_ids: str | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["search"] = search

    params["group_ids"] = group_ids

    params["page_size"] = page_size

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/apikey_groups/names",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | ListGroupNamesResult | None:
    if response.status_code == 200:
        response_200 = ListGroupNamesResult.from_dict(response.json())

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
) -> Response[Error | ListGroupNamesResult]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    search: str | Unset = UNSET,
    group_ids: str | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListGroupNamesResult]:
    """Find groups by name

     The ids and names of groups, in the order of their names, for choosing one. The group whose whole
    name is searched for comes first. It reads no keys, so it is faster than the search.

    Args:
        search (str | Unset):
        group_ids (str | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListGroupNamesResult]
    """

    kwargs = _get_kwargs(
        search=search,
        group_ids=group_ids,
        page_size=page_size,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    search: str | Unset = UNSET,
    group_ids: str | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListGroupNamesResult | None:
    """Find groups by name

     The ids and names of groups, in the order of their names, for choosing one. The group whose whole
    name is searched for comes first. It reads no keys, so it is faster than the search.

    Args:
        search (str | Unset):
        group_ids (str | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListGroupNamesResult
    """

    return sync_detailed(
        client=client,
        search=search,
        group_ids=group_ids,
        page_size=page_size,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    search: str | Unset = UNSET,
    group_ids: str | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListGroupNamesResult]:
    """Find groups by name

     The ids and names of groups, in the order of their names, for choosing one. The group whose whole
    name is searched for comes first. It reads no keys, so it is faster than the search.

    Args:
        search (str | Unset):
        group_ids (str | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListGroupNamesResult]
    """

    kwargs = _get_kwargs(
        search=search,
        group_ids=group_ids,
        page_size=page_size,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    search: str | Unset = UNSET,
    group_ids: str | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListGroupNamesResult | None:
    """Find groups by name

     The ids and names of groups, in the order of their names, for choosing one. The group whose whole
    name is searched for comes first. It reads no keys, so it is faster than the search.

    Args:
        search (str | Unset):
        group_ids (str | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListGroupNamesResult
    """

    return (
        await asyncio_detailed(
            client=client,
            search=search,
            group_ids=group_ids,
            page_size=page_size,
        )
    ).parsed
