import { useRef, useState } from "react";

/** Work that runs once at a time: whether it was ever begun, whether it is under way, and the error of the last attempt. */
export function useAttempt(work: () => Promise<unknown>) {
  const [error, setError] = useState<unknown>();
  const [hasBegun, setBegun] = useState(false);
  const [isPending, setPending] = useState(false);
  const running = useRef(false);
  const attempt = async () => {
    // A ref, because a double click clicks again before React has rendered the new state.
    if (running.current) return;
    running.current = true;
    setBegun(true);
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
  return { attempt, error, hasBegun, isPending, forget: () => setError(undefined) };
}
