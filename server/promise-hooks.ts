import { AsyncLocalStorage } from "node:async_hooks";
import { activeTracing } from "./tracing/active-tracing";

/** What a page began may go on for a moment after its answer. */
const QUIET_MS = 5_000;

/**
 * Before version 24, Node.js keeps the contexts of `AsyncLocalStorage` by following every promise of the process. In
 * development this module is loaded again with each change, and nobody measures.
 */
const HAS_HOOKS = Number.parseInt(process.versions.node, 10) < 24 && process.env.NODE_ENV !== "development";

/** The storages that have made Node.js follow promises. */
const storages = new Set<AsyncLocalStorage<unknown>>();

if (HAS_HOOKS) {
  const { run, enterWith } = AsyncLocalStorage.prototype;
  AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...options: unknown[]) {
    storages.add(this);
    return Reflect.apply(run, this, options);
  };
  AsyncLocalStorage.prototype.enterWith = function (...options) {
    storages.add(this);
    return Reflect.apply(enterWith, this, options);
  };
}

let uses = 0;
let quiet: NodeJS.Timeout | undefined;

/**
 * Does some work that may need contexts. Only during such work, and for a while after it, Node.js follows promises: Next.js
 * and the library for signing in keep contexts in `AsyncLocalStorage`, which from its first use on makes each promise of
 * every later request cost more, also of the API, which has no such context. A storage that is disabled begins again with
 * the next use of it.
 */
export async function withContexts<T>(work: () => Promise<T> | T): Promise<T> {
  clearTimeout(quiet);
  uses++;
  try {
    return await work();
  } finally {
    uses--;
    if (HAS_HOOKS && uses === 0) quiet = setTimeout(endHooks, QUIET_MS).unref();
  }
}

function endHooks(): void {
  // Every request that is traced has a context.
  if (activeTracing() !== undefined) return;
  for (const storage of storages) storage.disable();
  storages.clear();
}
