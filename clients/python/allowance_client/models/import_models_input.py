from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.import_models_input_format import ImportModelsInputFormat
from ..types import UNSET, Unset

T = TypeVar("T", bound="ImportModelsInput")


@_attrs_define
class ImportModelsInput:
    """
    Attributes:
        format_ (ImportModelsInputFormat): `litellm`: the JSON of LiteLLM's model_prices_and_context_window.json; `csv`.
        content (str): The text of the file.
        currency (str | Unset): Currency of prices that name none themselves. When it is not sent, USD for `litellm`,
            CNY for `csv`.
        rate (float | Unset): Yuan for one unit of that currency. Required where it is not CNY and a price has no rate
            itself.
        valid_from (datetime.date | Unset): First day of the prices that name none themselves. 1970-01-01 when it is not
            sent.
        replace (bool | Unset): `true`: delete the account's prices with this `valid_from` that the file does not have.
        dry_run (bool | Unset): `true`: change nothing, and answer what would happen.
    """

    format_: ImportModelsInputFormat
    content: str
    currency: str | Unset = UNSET
    rate: float | Unset = UNSET
    valid_from: datetime.date | Unset = UNSET
    replace: bool | Unset = UNSET
    dry_run: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        format_ = self.format_.value

        content = self.content

        currency = self.currency

        rate = self.rate

        valid_from: str | Unset = UNSET
        if not isinstance(self.valid_from, Unset):
            valid_from = self.valid_from.isoformat()

        replace = self.replace

        dry_run = self.dry_run

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "format": format_,
                "content": content,
            }
        )
        if currency is not UNSET:
            field_dict["currency"] = currency
        if rate is not UNSET:
            field_dict["rate"] = rate
        if valid_from is not UNSET:
            field_dict["valid_from"] = valid_from
        if replace is not UNSET:
            field_dict["replace"] = replace
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        format_ = ImportModelsInputFormat(d.pop("format"))

        content = d.pop("content")

        currency = d.pop("currency", UNSET)

        rate = d.pop("rate", UNSET)

        _valid_from = d.pop("valid_from", UNSET)
        valid_from: datetime.date | Unset
        if isinstance(_valid_from, Unset):
            valid_from = UNSET
        else:
            valid_from = datetime.date.fromisoformat(_valid_from)

        replace = d.pop("replace", UNSET)

        dry_run = d.pop("dry_run", UNSET)

        import_models_input = cls(
            format_=format_,
            content=content,
            currency=currency,
            rate=rate,
            valid_from=valid_from,
            replace=replace,
            dry_run=dry_run,
        )

        import_models_input.additional_properties = d
        return import_models_input

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
