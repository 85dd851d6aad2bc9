from enum import StrEnum


class ListUsageTotalsBy(StrEnum):
    GROUP = "group"
    KEY = "key"

    def __str__(self) -> str:
        return str(self.value)
