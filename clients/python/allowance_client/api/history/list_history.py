import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.list_history_action import ListHistoryAction
from ...models.list_history_actor import ListHistoryActor
from ...models.list_history_result import ListHistoryResult
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    apikey_id: str | Unset = UNSET,
    group_id: str | Unset = UNSET,
    action: ListHistoryAction | Unset = UNSET,
    actor: ListHistoryActor | Unset = UNSET,
    search: str | Unset = UNSET,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["apikey_id"] = apikey_id

    params["group_id"] = group_id

    json_action: str | Unset = UNSET
    if not isinstance(action, Unset):
        json_action = action.value

    params["action"] = json_action

    json_actor: str | Unset = UNSET
    if not isinstance(actor, Unset):
        json_actor = actor.value

    params["actor"] = json_actor

    params["search"] = search

    json_from_: str | Unset = UNSET
    if not isinstance(from_, Unset):
        json_from_ = from_.isoformat()
    params["from"] = json_from_

    json_to: str | Unset = UNSET
    if not isinstance(to, Unset):
        json_to = to.isoformat()
    params["to"] = json_to

    params["page"] = page

    params["page_size"] = page_size

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/history",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | ListHistoryResult | None:
    if response.status_code == 200:
        response_200 = ListHistoryResult.from_dict(response.json())

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
) -> Response[Error | ListHistoryResult]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    apikey_id: str | Unset = UNSET,
    group_id: str | Unset = UNSET,
    action: ListHistoryAction | Unset = UNSET,
    actor: ListHistoryActor | Unset = UNSET,
    search: str | Unset = UNSET,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListHistoryResult]:
    """List what was changed

     Every change of a key, a group, limits, prices, settings or ways to sign in, and every sign-in,
    newest first.

    Args:
        apikey_id (str | Unset):
        group_id (str | Unset):
        action (ListHistoryAction | Unset):
        actor (ListHistoryActor | Unset):
        search (str | Unset):
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListHistoryResult]
    """

    kwargs = _get_kwargs(
        apikey_id=apikey_id,
        group_id=group_id,
        action=action,
        actor=actor,
        search=search,
        from_=from_,
        to=to,
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
    apikey_id: str | Unset = UNSET,
    group_id: str | Unset = UNSET,
    action: ListHistoryAction | Unset = UNSET,
    actor: ListHistoryActor | Unset = UNSET,
    search: str | Unset = UNSET,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListHistoryResult | None:
    """List what was changed

     Every change of a key, a group, limits, prices, settings or ways to sign in, and every sign-in,
    newest first.

    Args:
        apikey_id (str | Unset):
        group_id (str | Unset):
        action (ListHistoryAction | Unset):
        actor (ListHistoryActor | Unset):
        search (str | Unset):
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListHistoryResult
    """

    return sync_detailed(
        client=client,
        apikey_id=apikey_id,
        group_id=group_id,
        action=action,
        actor=actor,
        search=search,
        from_=from_,
        to=to,
        page=page,
        page_size=page_size,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    apikey_id: str | Unset = UNSET,
    group_id: str | Unset = UNSET,
    action: ListHistoryAction | Unset = UNSET,
    actor: ListHistoryActor | Unset = UNSET,
    search: str | Unset = UNSET,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Response[Error | ListHistoryResult]:
    """List what was changed

     Every change of a key, a group, limits, prices, settings or ways to sign in, and every sign-in,
    newest first.

    Args:
        apikey_id (str | Unset):
        group_id (str | Unset):
        action (ListHistoryAction | Unset):
        actor (ListHistoryActor | Unset):
        search (str | Unset):
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListHistoryResult]
    """

    kwargs = _get_kwargs(
        apikey_id=apikey_id,
        group_id=group_id,
        action=action,
        actor=actor,
        search=search,
        from_=from_,
        to=to,
        page=page,
        page_size=page_size,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    apikey_id: str | Unset = UNSET,
    group_id: str | Unset = UNSET,
    action: ListHistoryAction | Unset = UNSET,
    actor: ListHistoryActor | Unset = UNSET,
    search: str | Unset = UNSET,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    page: int | Unset = UNSET,
    page_size: int | Unset = UNSET,
) -> Error | ListHistoryResult | None:
    """List what was changed

     Every change of a key, a group, limits, prices, settings or ways to sign in, and every sign-in,
    newest first.

    Args:
        apikey_id (str | Unset):
        group_id (str | Unset):
        action (ListHistoryAction | Unset):
        actor (ListHistoryActor | Unset):
        search (str | Unset):
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        page (int | Unset):
        page_size (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListHistoryResult
    """

    return (
        await asyncio_detailed(
            client=client,
            apikey_id=apikey_id,
            group_id=group_id,
            action=action,
            actor=actor,
            search=search,
            from_=from_,
            to=to,
            page=page,
            page_size=page_size,
        )
    ).parsed
