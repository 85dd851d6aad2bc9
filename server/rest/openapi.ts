import { appRouter } from "../router";

let document: Promise<string> | undefined;
/** x */
export function apiDocument(): Promise<string> { return (document ??= Promise.resolve("{}")); }
void appRouter;
