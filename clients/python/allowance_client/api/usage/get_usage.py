import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.get_usage_by import GetUsageBy
from ...models.get_usage_result import GetUsageResult
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    from_: datetime.date,
    to: datetime.date,
    by: GetUsageBy,
    group_id: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_from_ = from_.isoformat()
    params["from"] = json_from_

    json_to = to.isoformat()
    params["to"] = json_to

    json_by = by.value
    params["by"] = json_by

    params["group_id"] = group_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/usage",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Error | GetUsageResult | None:
    if response.status_code == 200:
        response_200 = GetUsageResult.from_dict(response.json())

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
) -> Response[Error | GetUsageResult]:
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
    by: GetUsageBy,
    group_id: str | Unset = UNSET,
) -> Response[Error | GetUsageResult]:
    """Read the spend of the account

     What was spent by day, by group, by key or by model: those that spent most, and all others as one.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (GetUsageBy):
        group_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | GetUsageResult]
    """

    kwargs = _get_kwargs(
        from_=from_,
        to=to,
        by=by,
        group_id=group_id,
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
    by: GetUsageBy,
    group_id: str | Unset = UNSET,
) -> Error | GetUsageResult | None:
    """Read the spend of the account

     What was spent by day, by group, by key or by model: those that spent most, and all others as one.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (GetUsageBy):
        group_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | GetUsageResult
    """

    return sync_detailed(
        client=client,
        from_=from_,
        to=to,
        by=by,
        group_id=group_id,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    from_: datetime.date,
    to: datetime.date,
    by: GetUsageBy,
    group_id: str | Unset = UNSET,
) -> Response[Error | GetUsageResult]:
    """Read the spend of the account

     What was spent by day, by group, by key or by model: those that spent most, and all others as one.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (GetUsageBy):
        group_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | GetUsageResult]
    """

    kwargs = _get_kwargs(
        from_=from_,
        to=to,
        by=by,
        group_id=group_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    from_: datetime.date,
    to: datetime.date,
    by: GetUsageBy,
    group_id: str | Unset = UNSET,
) -> Error | GetUsageResult | None:
    """Read the spend of the account

     What was spent by day, by group, by key or by model: those that spent most, and all others as one.

    Args:
        from_ (datetime.date):
        to (datetime.date):
        by (GetUsageBy):
        group_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | GetUsageResult
    """

    return (
        await asyncio_detailed(
            client=client,
            from_=from_,
            to=to,
            by=by,
            group_id=group_id,
        )
    ).parsed
