from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.new_api_key import NewApiKey


T = TypeVar("T", bound="CreateManyApiKeysResult")


@_attrs_define
class CreateManyApiKeysResult:
    """
    Attributes:
        success (bool): Always true.
        message (str): What was done, in words.
        created_count (int): How many keys were created.
        keys (list[NewApiKey]): The keys, in the order in which they were sent.
    """

    success: bool
    message: str
    created_count: int
    keys: list[NewApiKey]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        created_count = self.created_count

        keys = []
        for keys_item_data in self.keys:
            keys_item = keys_item_data.to_dict()
            keys.append(keys_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "message": message,
                "created_count": created_count,
                "keys": keys,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.new_api_key import NewApiKey  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        created_count = d.pop("created_count")

        keys = []
        _keys = d.pop("keys")
        for keys_item_data in _keys:
            keys_item = NewApiKey.from_dict(keys_item_data)

            keys.append(keys_item)

        create_many_api_keys_result = cls(
            success=success,
            message=message,
            created_count=created_count,
            keys=keys,
        )

        create_many_api_keys_result.additional_properties = d
        return create_many_api_keys_result

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
