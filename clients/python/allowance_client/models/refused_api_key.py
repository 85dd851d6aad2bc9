from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RefusedApiKey")


@_attrs_define
class RefusedApiKey:
    """A key that was refused, for one reason.

    Attributes:
        apikey_id (str): The first 10 characters of the key value.
        name (str): Name of the key.
        code (str): The reason, as in the answer of an authorization.
        count (int): How often the key was refused for this reason.
        last_day (datetime.date): The last day on which it was, a day in the zone of the account.
    """

    apikey_id: str
    name: str
    code: str
    count: int
    last_day: datetime.date
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey_id = self.apikey_id

        name = self.name

        code = self.code

        count = self.count

        last_day = self.last_day.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey_id": apikey_id,
                "name": name,
                "code": code,
                "count": count,
                "last_day": last_day,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        apikey_id = d.pop("apikey_id")

        name = d.pop("name")

        code = d.pop("code")

        count = d.pop("count")

        last_day = datetime.date.fromisoformat(d.pop("last_day"))

        refused_api_key = cls(
            apikey_id=apikey_id,
            name=name,
            code=code,
            count=count,
            last_day=last_day,
        )

        refused_api_key.additional_properties = d
        return refused_api_key

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
