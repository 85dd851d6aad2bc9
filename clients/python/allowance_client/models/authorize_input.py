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
        apikey (str | Unset): The whole key value, as the gateway received it.
        amount (float | Unset): The most that the call may cost, in yuan. Either it or `model` is sent.
        input_price (float | Unset): The model's input price in yuan per million tokens. A key with a ceiling for it
            refuses a price that is not sent.
        output_price (float | Unset): The model's output price in yuan per million tokens. A key with a ceiling for it
            refuses a price that is not sent.
        model (str | Unset): The model of the call, instead of `amount` and the prices: these come from the catalogue. A
            name or an alias of it, or what a pattern fits.
        input_tokens (int | Unset): With `model`: how many tokens the input has at most.
        max_output_tokens (int | Unset): With `model`: how many tokens the model may answer with. As many as the
            catalogue has for the model when it is not sent.
        apikey_hash (str | Unset): Instead of the value: its SHA-256, of the whole value, in 64 hexadecimal digits.
        apikey_id (str | Unset): Instead of the value: the id of the key, whatever its value is. With a gateway's token,
            `account_id` goes with it.
        account_id (str | Unset): The account of the key. Required with `apikey_id` and a gateway's token. A key of
            another account counts as one that does not exist.
        request_id (str | Unset): A name of your own for the call, never used before on this key. The same one again
            gives the same authorization while that is held, and 409 afterwards.
        ttl_seconds (int | Unset): For how many seconds the amount is held. 600 when it is not sent. Default: 600.
    """

    apikey: str | Unset = UNSET
    amount: float | Unset = UNSET
    input_price: float | Unset = UNSET
    output_price: float | Unset = UNSET
    model: str | Unset = UNSET
    input_tokens: int | Unset = UNSET
    max_output_tokens: int | Unset = UNSET
    apikey_hash: str | Unset = UNSET
    apikey_id: str | Unset = UNSET
    account_id: str | Unset = UNSET
    request_id: str | Unset = UNSET
    ttl_seconds: int | Unset = 600
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey = self.apikey

        amount = self.amount

        input_price = self.input_price

        output_price = self.output_price

        model = self.model

        input_tokens = self.input_tokens

        max_output_tokens = self.max_output_tokens

        apikey_hash = self.apikey_hash

        apikey_id = self.apikey_id

        account_id = self.account_id

        request_id = self.request_id

        ttl_seconds = self.ttl_seconds

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if apikey is not UNSET:
            field_dict["apikey"] = apikey
        if amount is not UNSET:
            field_dict["amount"] = amount
        if input_price is not UNSET:
            field_dict["input_price"] = input_price
        if output_price is not UNSET:
            field_dict["output_price"] = output_price
        if model is not UNSET:
            field_dict["model"] = model
        if input_tokens is not UNSET:
            field_dict["input_tokens"] = input_tokens
        if max_output_tokens is not UNSET:
            field_dict["max_output_tokens"] = max_output_tokens
        if apikey_hash is not UNSET:
            field_dict["apikey_hash"] = apikey_hash
        if apikey_id is not UNSET:
            field_dict["apikey_id"] = apikey_id
        if account_id is not UNSET:
            field_dict["account_id"] = account_id
        if request_id is not UNSET:
            field_dict["request_id"] = request_id
        if ttl_seconds is not UNSET:
            field_dict["ttl_seconds"] = ttl_seconds

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        apikey = d.pop("apikey", UNSET)

        amount = d.pop("amount", UNSET)

        input_price = d.pop("input_price", UNSET)

        output_price = d.pop("output_price", UNSET)

        model = d.pop("model", UNSET)

        input_tokens = d.pop("input_tokens", UNSET)

        max_output_tokens = d.pop("max_output_tokens", UNSET)

        apikey_hash = d.pop("apikey_hash", UNSET)

        apikey_id = d.pop("apikey_id", UNSET)

        account_id = d.pop("account_id", UNSET)

        request_id = d.pop("request_id", UNSET)

        ttl_seconds = d.pop("ttl_seconds", UNSET)

        authorize_input = cls(
            apikey=apikey,
            amount=amount,
            input_price=input_price,
            output_price=output_price,
            model=model,
            input_tokens=input_tokens,
            max_output_tokens=max_output_tokens,
            apikey_hash=apikey_hash,
            apikey_id=apikey_id,
            account_id=account_id,
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
