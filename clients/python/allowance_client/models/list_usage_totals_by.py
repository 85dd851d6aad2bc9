from enum import StrEnum


class ListUsageTotalsBy(StrEnum):
    GROUP = "group"
    KEY = "key"
    MODEL = "model"

    def __str__(self) -> str:
        return str(self.value)
