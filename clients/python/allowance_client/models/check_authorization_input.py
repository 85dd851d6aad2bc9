from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="CheckAuthorizationInput")


@_attrs_define
class CheckAuthorizationInput:
    """
    Attributes:
        amount (float): The most that the call may cost, in yuan.
        apikey (str | Unset): The whole key value, as the gateway received it.
        apikey_id (str | Unset): The key by its id, instead of its value.
        input_price (float | Unset): The model's input price in yuan per million tokens. A key with a ceiling for it
            refuses a price that is not sent.
        output_price (float | Unset): The model's output price in yuan per million tokens. A key with a ceiling for it
            refuses a price that is not sent.
    """

    amount: float
    apikey: str | Unset = UNSET
    apikey_id: str | Unset = UNSET
    input_price: float | Unset = UNSET
    output_price: float | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        apikey = self.apikey

        apikey_id = self.apikey_id

        input_price = self.input_price

        output_price = self.output_price

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "amount": amount,
            }
        )
        if apikey is not UNSET:
            field_dict["apikey"] = apikey
        if apikey_id is not UNSET:
            field_dict["apikey_id"] = apikey_id
        if input_price is not UNSET:
            field_dict["input_price"] = input_price
        if output_price is not UNSET:
            field_dict["output_price"] = output_price

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        amount = d.pop("amount")

        apikey = d.pop("apikey", UNSET)

        apikey_id = d.pop("apikey_id", UNSET)

        input_price = d.pop("input_price", UNSET)

        output_price = d.pop("output_price", UNSET)

        check_authorization_input = cls(
            amount=amount,
            apikey=apikey,
            apikey_id=apikey_id,
            input_price=input_price,
            output_price=output_price,
        )

        check_authorization_input.additional_properties = d
        return check_authorization_input

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
