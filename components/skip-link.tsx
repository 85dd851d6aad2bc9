/** Leads past the head of a page, for whoever uses the keyboard. It shows when it has the focus. */
export function SkipLink({ children }: { children: string }) {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-ink px-4 py-2.5 text-sm font-medium text-on-ink focus:translate-y-0"
    >
      {children}
    </a>
  );
}
