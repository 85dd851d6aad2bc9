from enum import StrEnum


class AllowedModelOwnedBy(StrEnum):
    ACCOUNT = "account"
    OPERATOR = "operator"

    def __str__(self) -> str:
        return str(self.value)
