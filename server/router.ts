import { accountsRouter } from "./accounts/router";
import { authorizationsRouter } from "./authorizations/router";
import { groupsRouter } from "./groups/router";
import { historyRouter } from "./history/router";
import { keysRouter } from "./keys/router";
import { router } from "./trpc";
import { usageRouter } from "./usage/router";

export const appRouter = router({
  accounts: accountsRouter,
  keys: keysRouter,
  groups: groupsRouter,
  history: historyRouter,
  authorizations: authorizationsRouter,
  usage: usageRouter,
});

export type AppRouter = typeof appRouter;
