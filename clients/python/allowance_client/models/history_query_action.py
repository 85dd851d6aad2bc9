from enum import StrEnum


class HistoryQueryAction(StrEnum):
    ACCOUNT_CREATED = "account.created"
    ACCOUNT_DISABLED = "account.disabled"
    ACCOUNT_ENABLED = "account.enabled"
    ACCOUNT_SETTINGS_CHANGED = "account.settings_changed"
    GROUP_CHANGED = "group.changed"
    GROUP_CREATED = "group.created"
    GROUP_DELETED = "group.deleted"
    KEY_CREATED = "key.created"
    KEY_DISABLED = "key.disabled"
    KEY_ENABLED = "key.enabled"
    KEY_LIMITS_SET = "key.limits_set"
    KEY_MOVED = "key.moved"
    KEY_RENAMED = "key.renamed"
    KEY_REVOKED = "key.revoked"
    KEY_ROTATED = "key.rotated"
    SIGN_IN_BACKUP_CODES_RENEWED = "sign_in.backup_codes_renewed"
    SIGN_IN_FAILED = "sign_in.failed"
    SIGN_IN_LOCKED_OUT = "sign_in.locked_out"
    SIGN_IN_PASSKEY_ADDED = "sign_in.passkey_added"
    SIGN_IN_PASSKEY_REMOVED = "sign_in.passkey_removed"
    SIGN_IN_PASSKEY_RENAMED = "sign_in.passkey_renamed"
    SIGN_IN_PASSWORD_CHANGED = "sign_in.password_changed"
    SIGN_IN_RECOVERED = "sign_in.recovered"
    SIGN_IN_SESSION_REVOKED = "sign_in.session_revoked"
    SIGN_IN_SIGNED_IN = "sign_in.signed_in"
    SIGN_IN_SIGNED_OUT = "sign_in.signed_out"
    SIGN_IN_SSO_LINKED = "sign_in.sso_linked"
    SIGN_IN_SSO_UNLINKED = "sign_in.sso_unlinked"
    SIGN_IN_TOTP_DISABLED = "sign_in.totp_disabled"
    SIGN_IN_TOTP_ENABLED = "sign_in.totp_enabled"

    def __str__(self) -> str:
        return str(self.value)
