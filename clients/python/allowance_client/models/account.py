from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.language import Language

T = TypeVar("T", bound="Account")


@_attrs_define
class Account:
    """An account and its settings.

    Attributes:
        account_id (str): Identifier of the account.
        email (str): Address that the account signs in with.
        time_zone (str): IANA time zone in which the account's days and months begin and end.
        language (Language | None):
        gateway_url (None | str): Address of the gateway that the keys are used at, as clients of the models have it;
            that of the operator (`GATEWAY_URL`) when not set. `null` when not set.
        two_factor_enabled (bool): Whether signing in with a password wants a second factor.
        default_apikey_id (str): The first 10 characters of the account's default key.
        created_at (int): Creation time, in whole seconds since 1970 (UTC).
    """

    account_id: str
    email: str
    time_zone: str
    language: Language | None
    gateway_url: None | str
    two_factor_enabled: bool
    default_apikey_id: str
    created_at: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        account_id = self.account_id

        email = self.email

        time_zone = self.time_zone

        language: None | str
        if isinstance(self.language, Language):
            language = self.language.value
        else:
            language = self.language

        gateway_url: None | str
        gateway_url = self.gateway_url

        two_factor_enabled = self.two_factor_enabled

        default_apikey_id = self.default_apikey_id

        created_at = self.created_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "account_id": account_id,
                "email": email,
                "time_zone": time_zone,
                "language": language,
                "gateway_url": gateway_url,
                "two_factor_enabled": two_factor_enabled,
                "default_apikey_id": default_apikey_id,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        account_id = d.pop("account_id")

        email = d.pop("email")

        time_zone = d.pop("time_zone")

        def _parse_language(data: object) -> Language | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                language_type_0 = Language(data)

                return language_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Language | None, data)

        language = _parse_language(d.pop("language"))

        def _parse_gateway_url(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        gateway_url = _parse_gateway_url(d.pop("gateway_url"))

        two_factor_enabled = d.pop("two_factor_enabled")

        default_apikey_id = d.pop("default_apikey_id")

        created_at = d.pop("created_at")

        account = cls(
            account_id=account_id,
            email=email,
            time_zone=time_zone,
            language=language,
            gateway_url=gateway_url,
            two_factor_enabled=two_factor_enabled,
            default_apikey_id=default_apikey_id,
            created_at=created_at,
        )

        account.additional_properties = d
        return account

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
