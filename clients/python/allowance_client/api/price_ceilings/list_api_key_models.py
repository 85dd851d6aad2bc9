from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.list_api_key_models_result import ListApiKeyModelsResult
from ...types import UNSET, Response, Unset


def _get_kwargs(
    apikey_id: str,
    *,
    account_id: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["account_id"] = account_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/apikeys/{apikey_id}/models".format(
            apikey_id=quote(str(apikey_id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | ListApiKeyModelsResult | None:
    if response.status_code == 200:
        response_200 = ListApiKeyModelsResult.from_dict(response.json())

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
) -> Response[Error | ListApiKeyModelsResult]:
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
    account_id: str | Unset = UNSET,
) -> Response[Error | ListApiKeyModelsResult]:
    """List the models that a key may call

     The models whose prices are not above the ceilings of the key, in the form of OpenAI's list of
    models, so that a gateway can answer `/v1/models` with it. Takes the default key, or a gateway's
    token with `account_id`.

    Args:
        apikey_id (str):
        account_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListApiKeyModelsResult]
    """

    kwargs = _get_kwargs(
        apikey_id=apikey_id,
        account_id=account_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    apikey_id: str,
    *,
    client: AuthenticatedClient,
    account_id: str | Unset = UNSET,
) -> Error | ListApiKeyModelsResult | None:
    """List the models that a key may call

     The models whose prices are not above the ceilings of the key, in the form of OpenAI's list of
    models, so that a gateway can answer `/v1/models` with it. Takes the default key, or a gateway's
    token with `account_id`.

    Args:
        apikey_id (str):
        account_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListApiKeyModelsResult
    """

    return sync_detailed(
        apikey_id=apikey_id,
        client=client,
        account_id=account_id,
    ).parsed


async def asyncio_detailed(
    apikey_id: str,
    *,
    client: AuthenticatedClient,
    account_id: str | Unset = UNSET,
) -> Response[Error | ListApiKeyModelsResult]:
    """List the models that a key may call

     The models whose prices are not above the ceilings of the key, in the form of OpenAI's list of
    models, so that a gateway can answer `/v1/models` with it. Takes the default key, or a gateway's
    token with `account_id`.

    Args:
        apikey_id (str):
        account_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | ListApiKeyModelsResult]
    """

    kwargs = _get_kwargs(
        apikey_id=apikey_id,
        account_id=account_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    apikey_id: str,
    *,
    client: AuthenticatedClient,
    account_id: str | Unset = UNSET,
) -> Error | ListApiKeyModelsResult | None:
    """List the models that a key may call

     The models whose prices are not above the ceilings of the key, in the form of OpenAI's list of
    models, so that a gateway can answer `/v1/models` with it. Takes the default key, or a gateway's
    token with `account_id`.

    Args:
        apikey_id (str):
        account_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | ListApiKeyModelsResult
    """

    return (
        await asyncio_detailed(
            apikey_id=apikey_id,
            client=client,
            account_id=account_id,
        )
    ).parsed
