from enum import StrEnum


class SearchGroupsSort(StrEnum):
    APIKEY_COUNT = "apikey_count"
    CREATED_AT = "created_at"
    NAME = "name"

    def __str__(self) -> str:
        return str(self.value)
