from enum import StrEnum


class GetModelResultSource(StrEnum):
    ACCOUNT = "account"
    OPERATOR = "operator"

    def __str__(self) -> str:
        return str(self.value)
