/** A token of a gateway as a person reads it, for whom `-` among the accounts would be none. */
export function gatewayRow<Gateway extends { accounts: string[] | null; expires: string | null }>(gateway: Gateway) {
  return { ...gateway, accounts: gateway.accounts ?? "all", expires: gateway.expires ?? "never" };
}
