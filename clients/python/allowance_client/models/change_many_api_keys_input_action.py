from enum import StrEnum


class ChangeManyApiKeysInputAction(StrEnum):
    DISABLE = "disable"
    ENABLE = "enable"
    MOVE = "move"
    REVOKE = "revoke"

    def __str__(self) -> str:
        return str(self.value)
