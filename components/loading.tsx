import { Spinner } from "./button";

/** Stands in place of a list that is loading. It shows after 300 ms, and screen readers announce it. */
export function Loading({ children }: { children: string }) {
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2.5 py-16 text-sm text-ink-soft opacity-0 [animation:appear_0s_300ms_forwards]"
    >
      <Spinner />
      {children}
    </p>
  );
}
