import datetime
from http import HTTPStatus
from typing import Any, Literal

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.list_models_order import ListModelsOrder
from ...models.list_models_result import ListModelsResult
from ...models.list_models_sort import ListModelsSort
from ...models.list_models_source import ListModelsSource
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    search: str | Unset = UNSET,
    name: str | Unset = UNSET,
    source: ListModelsSource | Unset = UNSET,
    day: datetime.date | Literal["today"] | Unset = UNSET,
    sort: ListModelsSort | Unset = UNSET,
    order: ListModelsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["search"] = search

    params["name"] = name

    json_source: str | Unset = UNSET
    if not isinstance(source, Unset):
        json_source = source.value

    params["source"] = json_source

    json_day: Literal["today"] | str | Unset
    if isinstance(day, Unset):
        json_day = UNSET
    elif isinstance(day, datetime.date):
        json_day = day.isoformat()
    else:
        json_day = day
    params["day"] = json_day

    json_sort: str | Unset = UNSET
    if not isinstance(sort, Unset):
        json_sort = sort.value

    params["sort"] = json_sort

    json_order: str | Unset = UNSET
    if not isinstance(order, Unset):
        json_order = order.value

    params["order"] = json_order

    params["page"] = page

    params["page_size"] = page_size

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/models",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | ListModelsResult | None:
    if response.status_code == 200:
        response_200 = ListModelsResult.from_dict(response.json())

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
) -> Response[Error | ListModelsResult]:
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
    name: str | Unset = UNSET,
    source: ListModelsSource | Unset = UNSET,
    day: datetime.date | Literal["today"] | Unset = UNSET,
    sort: ListModelsSort | Unset = UNSET,
    order: ListModelsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListModelsResult]:
    """List prices of models

     The prices of the operator and those of the account, by name. With `day`, only those that count on
    it: one for each name, and none of the operator that the account overrides.

    Args:
        search (str | Unset):
        name (str | Unset):
        source (ListModelsSource | Unset):
        day (datetime.date | Literal['today'] | Unset):
        sort (ListModelsSort | Unset):
        order (ListModelsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListModelsResult]
    """

    kwargs = _get_kwargs(
        search=search,
        name=name,
        source=source,
        day=day,
        sort=sort,
        order=order,
        page=page,
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
    name: str | Unset = UNSET,
    source: ListModelsSource | Unset = UNSET,
    day: datetime.date | Literal["today"] | Unset = UNSET,
    sort: ListModelsSort | Unset = UNSET,
    order: ListModelsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListModelsResult | None:
    """List prices of models

     The prices of the operator and those of the account, by name. With `day`, only those that count on
    it: one for each name, and none of the operator that the account overrides.

    Args:
        search (str | Unset):
        name (str | Unset):
        source (ListModelsSource | Unset):
        day (datetime.date | Literal['today'] | Unset):
        sort (ListModelsSort | Unset):
        order (ListModelsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListModelsResult
    """

    return sync_detailed(
        client=client,
        search=search,
        name=name,
        source=source,
        day=day,
        sort=sort,
        order=order,
        page=page,
        page_size=page_size,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    search: str | Unset = UNSET,
    name: str | Unset = UNSET,
    source: ListModelsSource | Unset = UNSET,
    day: datetime.date | Literal["today"] | Unset = UNSET,
    sort: ListModelsSort | Unset = UNSET,
    order: ListModelsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListModelsResult]:
    """List prices of models

     The prices of the operator and those of the account, by name. With `day`, only those that count on
    it: one for each name, and none of the operator that the account overrides.

    Args:
        search (str | Unset):
        name (str | Unset):
        source (ListModelsSource | Unset):
        day (datetime.date | Literal['today'] | Unset):
        sort (ListModelsSort | Unset):
        order (ListModelsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListModelsResult]
    """

    kwargs = _get_kwargs(
        search=search,
        name=name,
        source=source,
        day=day,
        sort=sort,
        order=order,
        page=page,
        page_size=page_size,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    search: str | Unset = UNSET,
    name: str | Unset = UNSET,
    source: ListModelsSource | Unset = UNSET,
    day: datetime.date | Literal["today"] | Unset = UNSET,
    sort: ListModelsSort | Unset = UNSET,
    order: ListModelsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListModelsResult | None:
    """List prices of models

     The prices of the operator and those of the account, by name. With `day`, only those that count on
    it: one for each name, and none of the operator that the account overrides.

    Args:
        search (str | Unset):
        name (str | Unset):
        source (ListModelsSource | Unset):
        day (datetime.date | Literal['today'] | Unset):
        sort (ListModelsSort | Unset):
        order (ListModelsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListModelsResult
    """

    return (
        await asyncio_detailed(
            client=client,
            search=search,
            name=name,
            source=source,
            day=day,
            sort=sort,
            order=order,
            page=page,
            page_size=page_size,
        )
    ).parsed
