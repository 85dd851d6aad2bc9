import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.list_usage_totals_by import ListUsageTotalsBy
from ...models.list_usage_totals_order import ListUsageTotalsOrder
from ...models.list_usage_totals_result import ListUsageTotalsResult
from ...models.list_usage_totals_sort import ListUsageTotalsSort
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    from_: datetime.date,
    to: datetime.date,
    by: ListUsageTotalsBy,
    group_id: str | Unset = UNSET,
    search: str | Unset = UNSET,
    sort: ListUsageTotalsSort | Unset = UNSET,
    order: ListUsageTotalsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_from_ = from_.isoformat()
    params["from"] = json_from_

    json_to = to.isoformat()
    params["to"] = json_to

    json_by = by.value
    params["by"] = json_by

    params["group_id"] = group_id

    params["search"] = search

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
        "url": "/v1/usage/totals",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | ListUsageTotalsResult | None:
    if response.status_code == 200:
        response_200 = ListUsageTotalsResult.from_dict(response.json())

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
) -> Response[Error | ListUsageTotalsResult]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    from_: datetime.date,
    to: datetime.date,
    by: ListUsageTotalsBy,
    group_id: str | Unset = UNSET,
    search: str | Unset = UNSET,
    sort: ListUsageTotalsSort | Unset = UNSET,
    order: ListUsageTotalsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListUsageTotalsResult]:
    """List what every group, API key or model spent

     Every group, key or model that had a capture in the range, with what it spent: searched, sorted and
    paged. The sums of all pages stand beside.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (ListUsageTotalsBy):
        group_id (str | Unset):
        search (str | Unset):
        sort (ListUsageTotalsSort | Unset):
        order (ListUsageTotalsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListUsageTotalsResult]
    """

    kwargs = _get_kwargs(
        from_=from_,
        to=to,
        by=by,
        group_id=group_id,
        search=search,
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
    from_: datetime.date,
    to: datetime.date,
    by: ListUsageTotalsBy,
    group_id: str | Unset = UNSET,
    search: str | Unset = UNSET,
    sort: ListUsageTotalsSort | Unset = UNSET,
    order: ListUsageTotalsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListUsageTotalsResult | None:
    """List what every group, API key or model spent

     Every group, key or model that had a capture in the range, with what it spent: searched, sorted and
    paged. The sums of all pages stand beside.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (ListUsageTotalsBy):
        group_id (str | Unset):
        search (str | Unset):
        sort (ListUsageTotalsSort | Unset):
        order (ListUsageTotalsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListUsageTotalsResult
    """

    return sync_detailed(
        client=client,
        from_=from_,
        to=to,
        by=by,
        group_id=group_id,
        search=search,
        sort=sort,
        order=order,
        page=page,
        page_size=page_size,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    from_: datetime.date,
    to: datetime.date,
    by: ListUsageTotalsBy,
    group_id: str | Unset = UNSET,
    search: str | Unset = UNSET,
    sort: ListUsageTotalsSort | Unset = UNSET,
    order: ListUsageTotalsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListUsageTotalsResult]:
    """List what every group, API key or model spent

     Every group, key or model that had a capture in the range, with what it spent: searched, sorted and
    paged. The sums of all pages stand beside.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (ListUsageTotalsBy):
        group_id (str | Unset):
        search (str | Unset):
        sort (ListUsageTotalsSort | Unset):
        order (ListUsageTotalsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListUsageTotalsResult]
    """

    kwargs = _get_kwargs(
        from_=from_,
        to=to,
        by=by,
        group_id=group_id,
        search=search,
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
    from_: datetime.date,
    to: datetime.date,
    by: ListUsageTotalsBy,
    group_id: str | Unset = UNSET,
    search: str | Unset = UNSET,
    sort: ListUsageTotalsSort | Unset = UNSET,
    order: ListUsageTotalsOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListUsageTotalsResult | None:
    """List what every group, API key or model spent

     Every group, key or model that had a capture in the range, with what it spent: searched, sorted and
    paged. The sums of all pages stand beside.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (ListUsageTotalsBy):
        group_id (str | Unset):
        search (str | Unset):
        sort (ListUsageTotalsSort | Unset):
        order (ListUsageTotalsOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListUsageTotalsResult
    """

    return (
        await asyncio_detailed(
            client=client,
            from_=from_,
            to=to,
            by=by,
            group_id=group_id,
            search=search,
            sort=sort,
            order=order,
            page=page,
            page_size=page_size,
        )
    ).parsed
