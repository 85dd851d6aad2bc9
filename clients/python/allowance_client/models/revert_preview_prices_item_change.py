from enum import StrEnum


class RevertPreviewPricesItemChange(StrEnum):
    CHANGED = "changed"
    CREATED = "created"
    DELETED = "deleted"
    UNCHANGED = "unchanged"

    def __str__(self) -> str:
        return str(self.value)
