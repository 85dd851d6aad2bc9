/** The logo: a dial that is three quarters full. The icon of the browser tab is the same, app/icon.svg. */
export function Mark({ className = "" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-ink" />
      <g fill="none" strokeWidth="4" className="stroke-on-ink">
        <circle cx="16" cy="16" r="8.5" opacity=".3" />
        <path d="M16 7.5A8.5 8.5 0 1 1 7.5 16" strokeLinecap="round" />
      </g>
    </svg>
  );
}
