import { Spinner } from "./button";

/** Stands where a list is on its way; it shows, and is read out, after a moment. */
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
