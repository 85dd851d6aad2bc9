import { accountsRouter } from "./accounts/router";
import { allowanceRouter } from "./allowance/router";
import { authorizationsRouter } from "./authorizations/router";
import { ceilingsRouter } from "./ceilings/router";
import { groupsRouter } from "./groups/router";
import { historyRouter } from "./history/router";
import { keysRouter } from "./keys/router";
import { overviewRouter } from "./overview/router";
import { modelsRouter } from "./prices/router";
import { savedFiltersRouter } from "./saved-filters/router";
import { router } from "./trpc";
import { usageRouter } from "./usage/router";

/** Every procedure. The API reference has its sections in this order. */
export const appRouter = router({
  keys: keysRouter,
  groups: groupsRouter,
  accounts: accountsRouter,
  authorizations: authorizationsRouter,
  models: modelsRouter,
  allowance: allowanceRouter,
  usage: usageRouter,
  history: historyRouter,
  overview: overviewRouter,
  savedFilters: savedFiltersRouter,
  ceilings: ceilingsRouter,
});

export type AppRouter = typeof appRouter;
