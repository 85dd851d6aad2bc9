from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="NotReverted")


@_attrs_define
class NotReverted:
    """A key, a group, or a price that stays as it is.

    Attributes:
        apikey_id (None | str): The key; `null` for a group or a price.
        group_id (None | str): The group; `null` for a key or a price.
        valid_from (datetime.date | None): The first day of the price; `null` for a key or a group.
        name (None | str): Its name; of a price, that of the model.
        code (str): Names the reason.
        error (str): Why it stays as it is.
    """

    apikey_id: None | str
    group_id: None | str
    valid_from: datetime.date | None
    name: None | str
    code: str
    error: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey_id: None | str
        apikey_id = self.apikey_id

        group_id: None | str
        group_id = self.group_id

        valid_from: None | str
        if isinstance(self.valid_from, datetime.date):
            valid_from = self.valid_from.isoformat()
        else:
            valid_from = self.valid_from

        name: None | str
        name = self.name

        code = self.code

        error = self.error

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey_id": apikey_id,
                "group_id": group_id,
                "valid_from": valid_from,
                "name": name,
                "code": code,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_apikey_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        apikey_id = _parse_apikey_id(d.pop("apikey_id"))

        def _parse_group_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_id = _parse_group_id(d.pop("group_id"))

        def _parse_valid_from(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                valid_from_type_0 = datetime.date.fromisoformat(data)

                return valid_from_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        valid_from = _parse_valid_from(d.pop("valid_from"))

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        code = d.pop("code")

        error = d.pop("error")

        not_reverted = cls(
            apikey_id=apikey_id,
            group_id=group_id,
            valid_from=valid_from,
            name=name,
            code=code,
            error=error,
        )

        not_reverted.additional_properties = d
        return not_reverted

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
