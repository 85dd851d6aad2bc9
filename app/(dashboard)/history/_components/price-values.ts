type Values = Readonly<Record<string, unknown>>;

/**
 * The values of a new or a deleted price without those that say nothing: what is unknown, has no other name, or is counted 0
 * times. A value that has changed from or to such a one stays.
 */
export function tellingValues(own: Values, other: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => {
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      return name in other || !(isEmpty || (name.endsWith("_count") && value === 0));
    }),
  );
}
