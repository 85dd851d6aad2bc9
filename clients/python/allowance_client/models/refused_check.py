from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.refusal_code import RefusalCode
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.refused_check_refusal import RefusedCheckRefusal


T = TypeVar("T", bound="RefusedCheck")


@_attrs_define
class RefusedCheck:
    """Why a call would not be authorized.

    Attributes:
        success (bool): Always false.
        error (str): What went wrong, for people to read. Faults of several parameters are joined by `; `.
        code (RefusalCode | Unset): Why a call is refused.
        refusal (RefusedCheckRefusal | Unset): The numbers of it. Absent likewise.
    """

    success: bool
    error: str
    code: RefusalCode | Unset = UNSET
    refusal: RefusedCheckRefusal | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        error = self.error

        code: str | Unset = UNSET
        if not isinstance(self.code, Unset):
            code = self.code.value

        refusal: dict[str, Any] | Unset = UNSET
        if not isinstance(self.refusal, Unset):
            refusal = self.refusal.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "error": error,
            }
        )
        if code is not UNSET:
            field_dict["code"] = code
        if refusal is not UNSET:
            field_dict["refusal"] = refusal

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.refused_check_refusal import RefusedCheckRefusal  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        error = d.pop("error")

        _code = d.pop("code", UNSET)
        code: RefusalCode | Unset
        if isinstance(_code, Unset):
            code = UNSET
        else:
            code = RefusalCode(_code)

        _refusal = d.pop("refusal", UNSET)
        refusal: RefusedCheckRefusal | Unset
        if isinstance(_refusal, Unset):
            refusal = UNSET
        else:
            refusal = RefusedCheckRefusal.from_dict(_refusal)

        refused_check = cls(
            success=success,
            error=error,
            code=code,
            refusal=refusal,
        )

        refused_check.additional_properties = d
        return refused_check

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
