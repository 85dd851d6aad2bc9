from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.allowed_model_owned_by import AllowedModelOwnedBy

if TYPE_CHECKING:
    from ..models.allowed_model_prices import AllowedModelPrices


T = TypeVar("T", bound="AllowedModel")


@_attrs_define
class AllowedModel:
    """A model that a key may call.

    Attributes:
        id (str): A name or an alias with which a call names the model.
        object_ (Literal['model']): The value `model`.
        created (int): The beginning of the first day of the price, in whole seconds since 1970 (UTC).
        owned_by (AllowedModelOwnedBy): Whose catalogue has the price.
        prices (AllowedModelPrices): The prices in yuan per million tokens: price times rate, rounded half-even to 9
            decimals.
        max_output_tokens (int | None): The most tokens that the model answers with; `null`: unknown.
    """

    id: str
    object_: Literal["model"]
    created: int
    owned_by: AllowedModelOwnedBy
    prices: AllowedModelPrices
    max_output_tokens: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        object_ = self.object_

        created = self.created

        owned_by = self.owned_by.value

        prices = self.prices.to_dict()

        max_output_tokens: int | None
        max_output_tokens = self.max_output_tokens

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "object": object_,
                "created": created,
                "owned_by": owned_by,
                "prices": prices,
                "max_output_tokens": max_output_tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.allowed_model_prices import AllowedModelPrices  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        object_ = cast(Literal["model"], d.pop("object"))
        if object_ != "model":
            raise ValueError(f"object must match const 'model', got '{object_}'")

        created = d.pop("created")

        owned_by = AllowedModelOwnedBy(d.pop("owned_by"))

        prices = AllowedModelPrices.from_dict(d.pop("prices"))

        def _parse_max_output_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        max_output_tokens = _parse_max_output_tokens(d.pop("max_output_tokens"))

        allowed_model = cls(
            id=id,
            object_=object_,
            created=created,
            owned_by=owned_by,
            prices=prices,
            max_output_tokens=max_output_tokens,
        )

        allowed_model.additional_properties = d
        return allowed_model

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
