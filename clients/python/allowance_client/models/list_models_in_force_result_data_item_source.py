from enum import StrEnum


class ListModelsInForceResultDataItemSource(StrEnum):
    ACCOUNT = "account"
    OPERATOR = "operator"

    def __str__(self) -> str:
        return str(self.value)
