export const THEMES = ["system", "light", "dark"] as const;

/** How pages are coloured; `system` follows the device. */
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "theme";

/** The theme that a cookie names; `system` where it names none. */
export function themeOf(cookie: string | undefined): Theme {
  return THEMES.find((theme) => theme === cookie) ?? "system";
}

/** What stands on <html>; nothing where the system decides. */
export function themeAttribute(theme: Theme): "light" | "dark" | undefined {
  return theme === "system" ? undefined : theme;
}
