from enum import StrEnum


class ListUsageTotalsSort(StrEnum):
    CAPTURES = "captures"
    NAME = "name"
    SPENT = "spent"

    def __str__(self) -> str:
        return str(self.value)
