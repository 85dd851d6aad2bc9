import { COUNT_ATTEMPT } from "./auth/statements/count-attempt";
import { FIND_CALLERS } from "./auth/statements/find-callers";
import { FIND_GATEWAYS, NOTE_GATEWAY_USE } from "./auth/statements/find-gateways";
import { FIND_ROUTES } from "./auth/statements/find-routes";
import { FIND_SESSION } from "./auth/statements/find-session";
import { STOP_FOR_INVALID_CALLERS, STOP_FOR_INVALID_TOKENS } from "./auth/statements/stop-for-invalid";
import { COMPARE_KEYS } from "./authorizations/statements/compare-keys";
import { LIST_ACTIVITY } from "./authorizations/statements/list-activity";
import { LOCK_FREE_KEYS, LOCK_KEYS, READ_WAIT } from "./authorizations/statements/lock-keys";
import { LOCK_KNOWN_KEYS, STOP_FOR_USED_REQUESTS } from "./authorizations/statements/lock-known-keys";
import {
  FIND_KEYS_OF_AUTHORIZATIONS,
  LOCK_AUTHORIZATIONS,
  READ_AUTHORIZATIONS,
  READ_REQUESTS,
} from "./authorizations/statements/read-authorizations";
import {
  READ_CHECKED_KEYS,
  READ_KEYS,
  READ_LOCKED_KEYS,
  READ_VERSIONED_KEYS,
} from "./authorizations/statements/read-keys";
import { RELEASE_EXPIRED } from "./authorizations/statements/release-expired";
import {
  INSERT_REFUSALS,
  INSERTIONS_ON_ONE_SERVER,
  INSERTIONS_ON_SEVERAL_SERVERS,
  SETTLE_AUTHORIZATIONS,
  WRITE_COUNTERS,
} from "./authorizations/statements/write-spend";
import type { Statement } from "./db/statement";
import { LIST_GROUPS } from "./groups/statements/list-groups";
import { INSERT_KEYS, INSERT_KEYS_UNGROUPED, INSERT_KEYS_WAITING } from "./keys/statements/insert-keys";
import { READ_ALLOWANCE } from "./keys/statements/read-allowance";
import { READ_ACCOUNT_PRICES, READ_OPERATOR_PRICES, READ_PRICES_STATE } from "./prices/statements/read-prices";

/** Every prepared statement of the process, for the tests that prepare each one. */
export const statements: readonly Statement<object>[] = [
  COUNT_ATTEMPT,
  FIND_CALLERS,
  FIND_GATEWAYS,
  NOTE_GATEWAY_USE,
  STOP_FOR_INVALID_CALLERS,
  STOP_FOR_INVALID_TOKENS,
  FIND_ROUTES,
  FIND_SESSION,
  FIND_KEYS_OF_AUTHORIZATIONS,
  LOCK_FREE_KEYS,
  READ_WAIT,
  LOCK_KEYS,
  LOCK_KNOWN_KEYS,
  STOP_FOR_USED_REQUESTS,
  READ_AUTHORIZATIONS,
  LOCK_AUTHORIZATIONS,
  READ_REQUESTS,
  READ_KEYS,
  READ_LOCKED_KEYS,
  READ_VERSIONED_KEYS,
  READ_CHECKED_KEYS,
  COMPARE_KEYS,
  RELEASE_EXPIRED,
  ...Object.values(INSERTIONS_ON_ONE_SERVER),
  ...Object.values(INSERTIONS_ON_SEVERAL_SERVERS),
  INSERT_REFUSALS,
  SETTLE_AUTHORIZATIONS,
  WRITE_COUNTERS,
  LIST_ACTIVITY,
  INSERT_KEYS,
  INSERT_KEYS_WAITING,
  INSERT_KEYS_UNGROUPED,
  READ_ALLOWANCE,
  LIST_GROUPS,
  READ_PRICES_STATE,
  READ_ACCOUNT_PRICES,
  READ_OPERATOR_PRICES,
];
