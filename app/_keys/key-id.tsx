/** The id of a key beside its name, in one line: browsers break a line after a hyphen. */
export function KeyId({ children }: { children: string }) {
  return <code className="inline-block font-mono text-xs text-ink-soft">{children}</code>;
}
