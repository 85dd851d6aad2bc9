from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.list_api_key_models_result_reason_type_0 import ListApiKeyModelsResultReasonType0

if TYPE_CHECKING:
    from ..models.allowed_model import AllowedModel
    from ..models.list_api_key_models_result_patterns_item import ListApiKeyModelsResultPatternsItem


T = TypeVar("T", bound="ListApiKeyModelsResult")


@_attrs_define
class ListApiKeyModelsResult:
    """
    Attributes:
        object_ (Literal['list']): The value `list`.
        data (list[AllowedModel]): The models that the key may call, by name.
        patterns (list[ListApiKeyModelsResultPatternsItem]): The patterns that the ceilings allow: the key may call each
            model that matches one and has no price of its own.
        allowed (int): How many models and patterns these are. An alias does not count by itself.
        total (int): How many models and patterns have a price today.
        reason (ListApiKeyModelsResultReasonType0 | None): Why the key may call none, whatever its ceilings allow;
            `null` where its ceilings decide.
    """

    object_: Literal["list"]
    data: list[AllowedModel]
    patterns: list[ListApiKeyModelsResultPatternsItem]
    allowed: int
    total: int
    reason: ListApiKeyModelsResultReasonType0 | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        patterns = []
        for patterns_item_data in self.patterns:
            patterns_item = patterns_item_data.to_dict()
            patterns.append(patterns_item)

        allowed = self.allowed

        total = self.total

        reason: None | str
        if isinstance(self.reason, ListApiKeyModelsResultReasonType0):
            reason = self.reason.value
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "object": object_,
                "data": data,
                "patterns": patterns,
                "allowed": allowed,
                "total": total,
                "reason": reason,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.allowed_model import AllowedModel  # noqa: PLC0415
        from ..models.list_api_key_models_result_patterns_item import ListApiKeyModelsResultPatternsItem  # noqa: PLC0415

        d = dict(src_dict)
        object_ = cast(Literal["list"], d.pop("object"))
        if object_ != "list":
            raise ValueError(f"object must match const 'list', got '{object_}'")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = AllowedModel.from_dict(data_item_data)

            data.append(data_item)

        patterns = []
        _patterns = d.pop("patterns")
        for patterns_item_data in _patterns:
            patterns_item = ListApiKeyModelsResultPatternsItem.from_dict(patterns_item_data)

            patterns.append(patterns_item)

        allowed = d.pop("allowed")

        total = d.pop("total")

        def _parse_reason(data: object) -> ListApiKeyModelsResultReasonType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_0 = ListApiKeyModelsResultReasonType0(data)

                return reason_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ListApiKeyModelsResultReasonType0 | None, data)

        reason = _parse_reason(d.pop("reason"))

        list_api_key_models_result = cls(
            object_=object_,
            data=data,
            patterns=patterns,
            allowed=allowed,
            total=total,
            reason=reason,
        )

        list_api_key_models_result.additional_properties = d
        return list_api_key_models_result

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
