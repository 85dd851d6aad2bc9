from enum import StrEnum


class SettledAuthorizationState(StrEnum):
    CAPTURED = "captured"
    EXPIRED = "expired"
    HELD = "held"
    VOIDED = "voided"

    def __str__(self) -> str:
        return str(self.value)
