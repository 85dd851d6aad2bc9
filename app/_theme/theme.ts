export const THEMES = ["system", "light", "dark"] as const;

/** The colours of the pages. `system` follows the device. */
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "theme";

/** The theme that a cookie names; `system` if it names none. */
export function themeOf(cookie: string | undefined): Theme {
  return THEMES.find((theme) => theme === cookie) ?? "system";
}

/** The value of `data-theme` on `<html>`; undefined if the device decides. */
export function themeAttribute(theme: Theme): "light" | "dark" | undefined {
  return theme === "system" ? undefined : theme;
}
