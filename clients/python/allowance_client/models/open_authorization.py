from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="OpenAuthorization")


@_attrs_define
class OpenAuthorization:
    """An amount that is held.

    Attributes:
        authorization_id (str): Identifier of the authorization.
        request_id (None | str): What the caller calls it.
        gateway (None | str): The name of the gateway that asked for it; `null`: the account itself.
        amount (float): What is held, in yuan.
        model (None | str): The model of the call, by its name in the catalogue; `null`: it was asked for by an amount.
        input_tokens (int | None): How many tokens the input has at most; `null`: it was asked for by an amount.
        max_output_tokens (int | None): How many tokens the model may answer with; `null` likewise.
        created_at (int): Time of the authorization, in whole seconds since 1970 (UTC).
        expires_at (int): When the hold ends by itself, in whole seconds since 1970 (UTC).
    """

    authorization_id: str
    request_id: None | str
    gateway: None | str
    amount: float
    model: None | str
    input_tokens: int | None
    max_output_tokens: int | None
    created_at: int
    expires_at: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        authorization_id = self.authorization_id

        request_id: None | str
        request_id = self.request_id

        gateway: None | str
        gateway = self.gateway

        amount = self.amount

        model: None | str
        model = self.model

        input_tokens: int | None
        input_tokens = self.input_tokens

        max_output_tokens: int | None
        max_output_tokens = self.max_output_tokens

        created_at = self.created_at

        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "authorization_id": authorization_id,
                "request_id": request_id,
                "gateway": gateway,
                "amount": amount,
                "model": model,
                "input_tokens": input_tokens,
                "max_output_tokens": max_output_tokens,
                "created_at": created_at,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        authorization_id = d.pop("authorization_id")

        def _parse_request_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        request_id = _parse_request_id(d.pop("request_id"))

        def _parse_gateway(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        gateway = _parse_gateway(d.pop("gateway"))

        amount = d.pop("amount")

        def _parse_model(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model = _parse_model(d.pop("model"))

        def _parse_input_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        input_tokens = _parse_input_tokens(d.pop("input_tokens"))

        def _parse_max_output_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        max_output_tokens = _parse_max_output_tokens(d.pop("max_output_tokens"))

        created_at = d.pop("created_at")

        expires_at = d.pop("expires_at")

        open_authorization = cls(
            authorization_id=authorization_id,
            request_id=request_id,
            gateway=gateway,
            amount=amount,
            model=model,
            input_tokens=input_tokens,
            max_output_tokens=max_output_tokens,
            created_at=created_at,
            expires_at=expires_at,
        )

        open_authorization.additional_properties = d
        return open_authorization

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
