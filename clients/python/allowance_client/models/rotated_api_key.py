from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RotatedApiKey")


@_attrs_define
class RotatedApiKey:
    """
    Attributes:
        success (bool): Always true.
        message (str): What was done, in words.
        apikey_id (str): The first 10 characters of the key value.
        apikey (str): The whole key value. It is shown this once. Its first 10 characters are the `apikey_id`.
        previous_value_until (int | None): Until when a value from before a rotation works too, in whole seconds since
            1970 (UTC).
    """

    success: bool
    message: str
    apikey_id: str
    apikey: str
    previous_value_until: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        apikey_id = self.apikey_id

        apikey = self.apikey

        previous_value_until: int | None
        previous_value_until = self.previous_value_until

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "message": message,
                "apikey_id": apikey_id,
                "apikey": apikey,
                "previous_value_until": previous_value_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        apikey_id = d.pop("apikey_id")

        apikey = d.pop("apikey")

        def _parse_previous_value_until(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        previous_value_until = _parse_previous_value_until(d.pop("previous_value_until"))

        rotated_api_key = cls(
            success=success,
            message=message,
            apikey_id=apikey_id,
            apikey=apikey,
            previous_value_until=previous_value_until,
        )

        rotated_api_key.additional_properties = d
        return rotated_api_key

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
