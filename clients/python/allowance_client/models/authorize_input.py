from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="AuthorizeInput")


@_attrs_define
class AuthorizeInput:
    """
    Attributes:
        apikey (str): The whole key value, as the gateway received it.
        amount (float): The most that the call may cost, in yuan.
        input_price (float | Unset): The model's input price in yuan per million tokens. A key with a ceiling for it
            refuses a price that is not sent.
        output_price (float | Unset): The model's output price in yuan per million tokens. A key with a ceiling for it
            refuses a price that is not sent.
        request_id (str | Unset): A name of your own for the call, never used before on this key. The same one again
            gives the same authorization while that is held, and 409 afterwards.
        ttl_seconds (int | Unset): For how many seconds the amount is held. 600 when it is not sent. Default: 600.
    """

    apikey: str
    amount: float
    input_price: float | Unset = UNSET
    output_price: float | Unset = UNSET
    request_id: str | Unset = UNSET
    ttl_seconds: int | Unset = 600
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey = self.apikey

        amount = self.amount

        input_price = self.input_price

        output_price = self.output_price

        request_id = self.request_id

        ttl_seconds = self.ttl_seconds

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey": apikey,
                "amount": amount,
            }
        )
        if input_price is not UNSET:
            field_dict["input_price"] = input_price
        if output_price is not UNSET:
            field_dict["output_price"] = output_price
        if request_id is not UNSET:
            field_dict["request_id"] = request_id
        if ttl_seconds is not UNSET:
            field_dict["ttl_seconds"] = ttl_seconds

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        apikey = d.pop("apikey")

        amount = d.pop("amount")

        input_price = d.pop("input_price", UNSET)

        output_price = d.pop("output_price", UNSET)

        request_id = d.pop("request_id", UNSET)

        ttl_seconds = d.pop("ttl_seconds", UNSET)

        authorize_input = cls(
            apikey=apikey,
            amount=amount,
            input_price=input_price,
            output_price=output_price,
            request_id=request_id,
            ttl_seconds=ttl_seconds,
        )

        authorize_input.additional_properties = d
        return authorize_input

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
