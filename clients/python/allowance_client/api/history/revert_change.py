from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.revert_change_input import RevertChangeInput
from ...models.reverted_change import RevertedChange
from ...types import Response


def _get_kwargs(
    event_id: str,
    *,
    body: RevertChangeInput,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/history/{event_id}/revert".format(
            event_id=quote(str(event_id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Error | RevertedChange | None:
    if response.status_code == 200:
        response_200 = RevertedChange.from_dict(response.json())

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
) -> Response[Error | RevertedChange]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    event_id: str,
    *,
    client: AuthenticatedClient,
    body: RevertChangeInput,
) -> Response[Error | RevertedChange]:
    """Undo a change

     Gives keys the limits, name, group and state, a group the name, description and defaults, or the
    account the prices of models, that they had before an event. What was changed since is named and
    stays, unless `force` is `true`; the prices of an event are undone all or none. Creating, revoking
    and rotating keys stay as they are, as does everything else. With `dry_run` nothing changes, and the
    answer says what would happen.

    Args:
        event_id (str):
        body (RevertChangeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | RevertedChange]
    """

    kwargs = _get_kwargs(
        event_id=event_id,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    event_id: str,
    *,
    client: AuthenticatedClient,
    body: RevertChangeInput,
) -> Error | RevertedChange | None:
    """Undo a change

     Gives keys the limits, name, group and state, a group the name, description and defaults, or the
    account the prices of models, that they had before an event. What was changed since is named and
    stays, unless `force` is `true`; the prices of an event are undone all or none. Creating, revoking
    and rotating keys stay as they are, as does everything else. With `dry_run` nothing changes, and the
    answer says what would happen.

    Args:
        event_id (str):
        body (RevertChangeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | RevertedChange
    """

    return sync_detailed(
        event_id=event_id,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    event_id: str,
    *,
    client: AuthenticatedClient,
    body: RevertChangeInput,
) -> Response[Error | RevertedChange]:
    """Undo a change

     Gives keys the limits, name, group and state, a group the name, description and defaults, or the
    account the prices of models, that they had before an event. What was changed since is named and
    stays, unless `force` is `true`; the prices of an event are undone all or none. Creating, revoking
    and rotating keys stay as they are, as does everything else. With `dry_run` nothing changes, and the
    answer says what would happen.

    Args:
        event_id (str):
        body (RevertChangeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | RevertedChange]
    """

    kwargs = _get_kwargs(
        event_id=event_id,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    event_id: str,
    *,
    client: AuthenticatedClient,
    body: RevertChangeInput,
) -> Error | RevertedChange | None:
    """Undo a change

     Gives keys the limits, name, group and state, a group the name, description and defaults, or the
    account the prices of models, that they had before an event. What was changed since is named and
    stays, unless `force` is `true`; the prices of an event are undone all or none. Creating, revoking
    and rotating keys stay as they are, as does everything else. With `dry_run` nothing changes, and the
    answer says what would happen.

    Args:
        event_id (str):
        body (RevertChangeInput):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | RevertedChange
    """

    return (
        await asyncio_detailed(
            event_id=event_id,
            client=client,
            body=body,
        )
    ).parsed
