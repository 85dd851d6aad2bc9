from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.settled_authorization_state import SettledAuthorizationState

T = TypeVar("T", bound="SettledAuthorization")


@_attrs_define
class SettledAuthorization:
    """
    Attributes:
        success (bool): Always true.
        message (str): The answer in words, with its numbers.
        authorization_id (str): Identifier of the authorization.
        state (SettledAuthorizationState): What the authorization is now.
        amount (float | None): What was captured, in yuan.
        overrun (bool): More was captured than was held.
        late (bool): It was captured after the hold had ended.
    """

    success: bool
    message: str
    authorization_id: str
    state: SettledAuthorizationState
    amount: float | None
    overrun: bool
    late: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        authorization_id = self.authorization_id

        state = self.state.value

        amount: float | None
        amount = self.amount

        overrun = self.overrun

        late = self.late

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "message": message,
                "authorization_id": authorization_id,
                "state": state,
                "amount": amount,
                "overrun": overrun,
                "late": late,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        authorization_id = d.pop("authorization_id")

        state = SettledAuthorizationState(d.pop("state"))

        def _parse_amount(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        amount = _parse_amount(d.pop("amount"))

        overrun = d.pop("overrun")

        late = d.pop("late")

        settled_authorization = cls(
            success=success,
            message=message,
            authorization_id=authorization_id,
            state=state,
            amount=amount,
            overrun=overrun,
            late=late,
        )

        settled_authorization.additional_properties = d
        return settled_authorization

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
