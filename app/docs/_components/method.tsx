const COLOURS: Record<string, string> = { GET: "text-accent", POST: "text-good" };

/** The method of an operation, in its colour. */
export function Method({ children, className = "" }: { children: string; className?: string }) {
  return (
    <span className={`font-mono text-xs font-semibold ${COLOURS[children] ?? "text-ink"} ${className}`}>
      {children}
    </span>
  );
}
