/** Every kind of event. */
export const ACTIONS = [
  "account.created",
  "account.settings_changed",
  "key.created",
  "key.renamed",
  "key.moved",
  "key.limits_set",
  "key.disabled",
  "key.enabled",
  "key.revoked",
  "key.rotated",
  "group.created",
  "group.changed",
  "group.deleted",
  "sign_in.password_changed",
  "sign_in.totp_enabled",
  "sign_in.totp_disabled",
  "sign_in.passkey_added",
  "sign_in.passkey_removed",
  "sign_in.session_revoked",
  "sign_in.sso_linked",
] as const;

export type Action = (typeof ACTIONS)[number];
