import { COUNT_ATTEMPT } from "./auth/statements/count-attempt";
import { FIND_CALLER } from "./auth/statements/find-caller";
import { FIND_KEY_OWNER } from "./auth/statements/find-key-owner";
import { FIND_SESSION } from "./auth/statements/find-session";
import { CAPTURE } from "./authorizations/statements/capture";
import { COUNT_REFUSALS } from "./authorizations/statements/count-refusals";
import { FIND_AUTHORIZATION } from "./authorizations/statements/find-authorization";
import { HOLD } from "./authorizations/statements/hold";
import { LOCK_KEY, RELEASE_EXPIRED } from "./authorizations/statements/release-expired";
import { VOID } from "./authorizations/statements/void";
import type { Statement } from "./db/statement";
import { LIST_GROUPS } from "./groups/statements/list-groups";
import { INSERT_KEY } from "./keys/statements/insert-key";

/** Every prepared statement of the process, for the tests that prepare each one. */
export const statements: readonly Statement<object>[] = [
  COUNT_ATTEMPT,
  FIND_CALLER,
  FIND_KEY_OWNER,
  FIND_SESSION,
  CAPTURE,
  COUNT_REFUSALS,
  FIND_AUTHORIZATION,
  HOLD,
  LOCK_KEY,
  RELEASE_EXPIRED,
  VOID,
  INSERT_KEY,
  LIST_GROUPS,
];
