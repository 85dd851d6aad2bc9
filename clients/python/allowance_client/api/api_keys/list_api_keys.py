from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.api_key_status import ApiKeyStatus
from ...models.error import Error
from ...models.list_api_keys_look import ListApiKeysLook
from ...models.list_api_keys_order import ListApiKeysOrder
from ...models.list_api_keys_result import ListApiKeysResult
from ...models.list_api_keys_sort import ListApiKeysSort
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    search: str | Unset = UNSET,
    group_id: str | Unset = UNSET,
    status: ApiKeyStatus | Unset = UNSET,
    look: ListApiKeysLook | Unset = UNSET,
    sort: ListApiKeysSort | Unset = UNSET,
    order: ListApiKeysOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["search"] = search

    params["group_id"] = group_id

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status.value

    params["status"] = json_status

    json_look: str | Unset = UNSET
    if not isinstance(look, Unset):
        json_look = look.value

    params["look"] = json_look

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
        "url": "/v1/apikeys",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | ListApiKeysResult | None:
    if response.status_code == 200:
        response_200 = ListApiKeysResult.from_dict(response.json())

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
) -> Response[Error | ListApiKeysResult]:
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
    group_id: str | Unset = UNSET,
    status: ApiKeyStatus | Unset = UNSET,
    look: ListApiKeysLook | Unset = UNSET,
    sort: ListApiKeysSort | Unset = UNSET,
    order: ListApiKeysOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListApiKeysResult]:
    """List API keys

     A page of the keys of the account, newest first unless `sort` says otherwise.

    Args:
        search (str | Unset):
        group_id (str | Unset):
        status (ApiKeyStatus | Unset): What the key is good for at this moment.
        look (ListApiKeysLook | Unset):
        sort (ListApiKeysSort | Unset):
        order (ListApiKeysOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListApiKeysResult]
    """

    kwargs = _get_kwargs(
        search=search,
        group_id=group_id,
        status=status,
        look=look,
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
    group_id: str | Unset = UNSET,
    status: ApiKeyStatus | Unset = UNSET,
    look: ListApiKeysLook | Unset = UNSET,
    sort: ListApiKeysSort | Unset = UNSET,
    order: ListApiKeysOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListApiKeysResult | None:
    """List API keys

     A page of the keys of the account, newest first unless `sort` says otherwise.

    Args:
        search (str | Unset):
        group_id (str | Unset):
        status (ApiKeyStatus | Unset): What the key is good for at this moment.
        look (ListApiKeysLook | Unset):
        sort (ListApiKeysSort | Unset):
        order (ListApiKeysOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListApiKeysResult
    """

    return sync_detailed(
        client=client,
        search=search,
        group_id=group_id,
        status=status,
        look=look,
        sort=sort,
        order=order,
        page=page,
        page_size=page_size,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    search: str | Unset = UNSET,
    group_id: str | Unset = UNSET,
    status: ApiKeyStatus | Unset = UNSET,
    look: ListApiKeysLook | Unset = UNSET,
    sort: ListApiKeysSort | Unset = UNSET,
    order: ListApiKeysOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListApiKeysResult]:
    """List API keys

     A page of the keys of the account, newest first unless `sort` says otherwise.

    Args:
        search (str | Unset):
        group_id (str | Unset):
        status (ApiKeyStatus | Unset): What the key is good for at this moment.
        look (ListApiKeysLook | Unset):
        sort (ListApiKeysSort | Unset):
        order (ListApiKeysOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListApiKeysResult]
    """

    kwargs = _get_kwargs(
        search=search,
        group_id=group_id,
        status=status,
        look=look,
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
    group_id: str | Unset = UNSET,
    status: ApiKeyStatus | Unset = UNSET,
    look: ListApiKeysLook | Unset = UNSET,
    sort: ListApiKeysSort | Unset = UNSET,
    order: ListApiKeysOrder | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListApiKeysResult | None:
    """List API keys

     A page of the keys of the account, newest first unless `sort` says otherwise.

    Args:
        search (str | Unset):
        group_id (str | Unset):
        status (ApiKeyStatus | Unset): What the key is good for at this moment.
        look (ListApiKeysLook | Unset):
        sort (ListApiKeysSort | Unset):
        order (ListApiKeysOrder | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListApiKeysResult
    """

    return (
        await asyncio_detailed(
            client=client,
            search=search,
            group_id=group_id,
            status=status,
            look=look,
            sort=sort,
            order=order,
            page=page,
            page_size=page_size,
        )
    ).parsed
