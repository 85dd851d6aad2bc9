from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.settled_authorization import SettledAuthorization
from ...types import Response


def _get_kwargs(
    authorization_id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/authorizations/{authorization_id}/void".format(
            authorization_id=quote(str(authorization_id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | SettledAuthorization | None:
    if response.status_code == 200:
        response_200 = SettledAuthorization.from_dict(response.json())

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

    if response.status_code == 409:
        response_409 = Error.from_dict(response.json())

        return response_409

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
) -> Response[Error | SettledAuthorization]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    authorization_id: str,
    *,
    client: AuthenticatedClient,
) -> Response[Error | SettledAuthorization]:
    """Void an authorization

     Ends the hold: the call was not made. Voiding again, or after the hold has ended by itself, is no
    error.

    Args:
        authorization_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | SettledAuthorization]
    """

    kwargs = _get_kwargs(
        authorization_id=authorization_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    authorization_id: str,
    *,
    client: AuthenticatedClient,
) -> Error | SettledAuthorization | None:
    """Void an authorization

     Ends the hold: the call was not made. Voiding again, or after the hold has ended by itself, is no
    error.

    Args:
        authorization_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | SettledAuthorization
    """

    return sync_detailed(
        authorization_id=authorization_id,
        client=client,
    ).parsed


async def asyncio_detailed(
    authorization_id: str,
    *,
    client: AuthenticatedClient,
) -> Response[Error | SettledAuthorization]:
    """Void an authorization

     Ends the hold: the call was not made. Voiding again, or after the hold has ended by itself, is no
    error.

    Args:
        authorization_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | SettledAuthorization]
    """

    kwargs = _get_kwargs(
        authorization_id=authorization_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    authorization_id: str,
    *,
    client: AuthenticatedClient,
) -> Error | SettledAuthorization | None:
    """Void an authorization

     Ends the hold: the call was not made. Voiding again, or after the hold has ended by itself, is no
    error.

    Args:
        authorization_id (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | SettledAuthorization
    """

    return (
        await asyncio_detailed(
            authorization_id=authorization_id,
            client=client,
        )
    ).parsed
