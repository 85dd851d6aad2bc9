from enum import StrEnum


class CheckAuthorizationInputScope(StrEnum):
    CALL = "call"
    KEY = "key"
    LEFT = "left"

    def __str__(self) -> str:
        return str(self.value)
