from enum import StrEnum


class ActivityKind(StrEnum):
    CAPTURED = "captured"
    EXPIRED = "expired"
    REFUSED = "refused"
    VOIDED = "voided"

    def __str__(self) -> str:
        return str(self.value)
