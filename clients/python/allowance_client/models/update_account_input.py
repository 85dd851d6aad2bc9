from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.language import Language
from ..types import UNSET, Unset

T = TypeVar("T", bound="UpdateAccountInput")


@_attrs_define
class UpdateAccountInput:
    """
    Attributes:
        time_zone (str | Unset): IANA time zone in which the account's days and months begin and end.
        language (Language | None | Unset):
        gateway_url (None | str | Unset): Address of the gateway that the keys are used at, as clients of the models
            have it; that of the operator (`GATEWAY_URL`) when not set. `null` when not set.
    """

    time_zone: str | Unset = UNSET
    language: Language | None | Unset = UNSET
    gateway_url: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        time_zone = self.time_zone

        language: None | str | Unset
        if isinstance(self.language, Unset):
            language = UNSET
        elif isinstance(self.language, Language):
            language = self.language.value
        else:
            language = self.language

        gateway_url: None | str | Unset
        if isinstance(self.gateway_url, Unset):
            gateway_url = UNSET
        else:
            gateway_url = self.gateway_url

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if time_zone is not UNSET:
            field_dict["time_zone"] = time_zone
        if language is not UNSET:
            field_dict["language"] = language
        if gateway_url is not UNSET:
            field_dict["gateway_url"] = gateway_url

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        time_zone = d.pop("time_zone", UNSET)

        def _parse_language(data: object) -> Language | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                language_type_0 = Language(data)

                return language_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Language | None | Unset, data)

        language = _parse_language(d.pop("language", UNSET))

        def _parse_gateway_url(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        gateway_url = _parse_gateway_url(d.pop("gateway_url", UNSET))

        update_account_input = cls(
            time_zone=time_zone,
            language=language,
            gateway_url=gateway_url,
        )

        update_account_input.additional_properties = d
        return update_account_input

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
