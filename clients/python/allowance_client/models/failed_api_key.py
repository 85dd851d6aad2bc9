from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.failed_api_key_values import FailedApiKeyValues


T = TypeVar("T", bound="FailedApiKey")


@_attrs_define
class FailedApiKey:
    """A key that could not be changed, and why.

    Attributes:
        apikey_id (str): The first 10 characters of the key value.
        name (None | str): Name of the key, where it exists.
        error (str): Why it failed.
        code (str): The same for programs.
        values (FailedApiKeyValues): The values in the sentence that differ from one such failure to the next.
    """

    apikey_id: str
    name: None | str
    error: str
    code: str
    values: FailedApiKeyValues
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey_id = self.apikey_id

        name: None | str
        name = self.name

        error = self.error

        code = self.code

        values = self.values.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey_id": apikey_id,
                "name": name,
                "error": error,
                "code": code,
                "values": values,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.failed_api_key_values import FailedApiKeyValues  # noqa: PLC0415

        d = dict(src_dict)
        apikey_id = d.pop("apikey_id")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        error = d.pop("error")

        code = d.pop("code")

        values = FailedApiKeyValues.from_dict(d.pop("values"))

        failed_api_key = cls(
            apikey_id=apikey_id,
            name=name,
            error=error,
            code=code,
            values=values,
        )

        failed_api_key.additional_properties = d
        return failed_api_key

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
