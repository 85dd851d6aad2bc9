from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.revert_preview_prices_item_change import RevertPreviewPricesItemChange

if TYPE_CHECKING:
    from ..models.revert_preview_prices_item_after_type_0 import RevertPreviewPricesItemAfterType0
    from ..models.revert_preview_prices_item_before_type_0 import RevertPreviewPricesItemBeforeType0


T = TypeVar("T", bound="RevertPreviewPricesItem")


@_attrs_define
class RevertPreviewPricesItem:
    """
    Attributes:
        change (RevertPreviewPricesItemChange): What became of the price.
        name (str): Name of the model, 1 to 200 characters, or a pattern in which `*` stands for any characters.
        valid_from (datetime.date): First day on which the price counts, in the time zone of the account.
        before (None | RevertPreviewPricesItemBeforeType0): The price before; `null`: there was none.
        after (None | RevertPreviewPricesItemAfterType0): The price after; `null`: it is deleted.
    """

    change: RevertPreviewPricesItemChange
    name: str
    valid_from: datetime.date
    before: None | RevertPreviewPricesItemBeforeType0
    after: None | RevertPreviewPricesItemAfterType0
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.revert_preview_prices_item_after_type_0 import RevertPreviewPricesItemAfterType0  # noqa: PLC0415
        from ..models.revert_preview_prices_item_before_type_0 import RevertPreviewPricesItemBeforeType0  # noqa: PLC0415

        change = self.change.value

        name = self.name

        valid_from = self.valid_from.isoformat()

        before: dict[str, Any] | None
        if isinstance(self.before, RevertPreviewPricesItemBeforeType0):
            before = self.before.to_dict()
        else:
            before = self.before

        after: dict[str, Any] | None
        if isinstance(self.after, RevertPreviewPricesItemAfterType0):
            after = self.after.to_dict()
        else:
            after = self.after

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "change": change,
                "name": name,
                "valid_from": valid_from,
                "before": before,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.revert_preview_prices_item_after_type_0 import RevertPreviewPricesItemAfterType0  # noqa: PLC0415
        from ..models.revert_preview_prices_item_before_type_0 import RevertPreviewPricesItemBeforeType0  # noqa: PLC0415

        d = dict(src_dict)
        change = RevertPreviewPricesItemChange(d.pop("change"))

        name = d.pop("name")

        valid_from = datetime.date.fromisoformat(d.pop("valid_from"))

        def _parse_before(data: object) -> None | RevertPreviewPricesItemBeforeType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                before_type_0 = RevertPreviewPricesItemBeforeType0.from_dict(data)

                return before_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RevertPreviewPricesItemBeforeType0, data)

        before = _parse_before(d.pop("before"))

        def _parse_after(data: object) -> None | RevertPreviewPricesItemAfterType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                after_type_0 = RevertPreviewPricesItemAfterType0.from_dict(data)

                return after_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RevertPreviewPricesItemAfterType0, data)

        after = _parse_after(d.pop("after"))

        revert_preview_prices_item = cls(
            change=change,
            name=name,
            valid_from=valid_from,
            before=before,
            after=after,
        )

        revert_preview_prices_item.additional_properties = d
        return revert_preview_prices_item

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
