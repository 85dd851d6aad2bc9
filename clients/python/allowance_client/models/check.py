from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.refusal_code import RefusalCode

if TYPE_CHECKING:
    from ..models.check_refusal_type_0 import CheckRefusalType0
    from ..models.checked_limit import CheckedLimit


T = TypeVar("T", bound="Check")


@_attrs_define
class Check:
    """
    Attributes:
        success (bool): Always true.
        allowed (bool): Whether the call would be allowed now.
        code (None | RefusalCode): The first obstacle.
        message (str): The answer in words, with its numbers.
        apikey_id (None | str): The first 10 characters of the key value. `null` when not set.
        limits (list[CheckedLimit]): Every limit that is judged, with its numbers, in the order in which they are
            checked.
        refusal (CheckRefusalType0 | None): The numbers of the first obstacle, each `null` where it does not apply;
            `null` where the call is allowed.
        change (None | str): The smallest change that removes the first obstacle.
    """

    success: bool
    allowed: bool
    code: None | RefusalCode
    message: str
    apikey_id: None | str
    limits: list[CheckedLimit]
    refusal: CheckRefusalType0 | None
    change: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.check_refusal_type_0 import CheckRefusalType0  # noqa: PLC0415

        success = self.success

        allowed = self.allowed

        code: None | str
        if isinstance(self.code, RefusalCode):
            code = self.code.value
        else:
            code = self.code

        message = self.message

        apikey_id: None | str
        apikey_id = self.apikey_id

        limits = []
        for limits_item_data in self.limits:
            limits_item = limits_item_data.to_dict()
            limits.append(limits_item)

        refusal: dict[str, Any] | None
        if isinstance(self.refusal, CheckRefusalType0):
            refusal = self.refusal.to_dict()
        else:
            refusal = self.refusal

        change: None | str
        change = self.change

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "allowed": allowed,
                "code": code,
                "message": message,
                "apikey_id": apikey_id,
                "limits": limits,
                "refusal": refusal,
                "change": change,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.check_refusal_type_0 import CheckRefusalType0  # noqa: PLC0415
        from ..models.checked_limit import CheckedLimit  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        allowed = d.pop("allowed")

        def _parse_code(data: object) -> None | RefusalCode:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                code_type_0 = RefusalCode(data)

                return code_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RefusalCode, data)

        code = _parse_code(d.pop("code"))

        message = d.pop("message")

        def _parse_apikey_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        apikey_id = _parse_apikey_id(d.pop("apikey_id"))

        limits = []
        _limits = d.pop("limits")
        for limits_item_data in _limits:
            limits_item = CheckedLimit.from_dict(limits_item_data)

            limits.append(limits_item)

        def _parse_refusal(data: object) -> CheckRefusalType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                refusal_type_0 = CheckRefusalType0.from_dict(data)

                return refusal_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CheckRefusalType0 | None, data)

        refusal = _parse_refusal(d.pop("refusal"))

        def _parse_change(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        change = _parse_change(d.pop("change"))

        check = cls(
            success=success,
            allowed=allowed,
            code=code,
            message=message,
            apikey_id=apikey_id,
            limits=limits,
            refusal=refusal,
            change=change,
        )

        check.additional_properties = d
        return check

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
