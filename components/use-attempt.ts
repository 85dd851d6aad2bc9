import { useRef, useState } from "react";

/** Something that is tried once at a time: what went wrong the last time, and whether it is under way. */
export function useAttempt(work: () => Promise<void>) {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const running = useRef(false);
  const attempt = async () => {
    // The state of React is too late for the second click of a double one.
    if (running.current) return;
    running.current = true;
    setPending(true);
    setError(undefined);
    try {
      await work();
    } catch (thrown) {
      setError(thrown);
    } finally {
      running.current = false;
      setPending(false);
    }
  };
  return { attempt, error, isPending, forget: () => setError(undefined) };
}
