from enum import StrEnum


class ListApiKeyModelsResultReasonType0(StrEnum):
    ACCOUNT_DISABLED = "account_disabled"
    KEY_DISABLED = "key_disabled"
    KEY_EXPIRED = "key_expired"

    def __str__(self) -> str:
        return str(self.value)
