from enum import StrEnum


class ExportUsageTotalsBy(StrEnum):
    GROUP = "group"
    KEY = "key"

    def __str__(self) -> str:
        return str(self.value)
