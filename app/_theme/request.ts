import { cookies } from "next/headers";
import { THEME_COOKIE, type Theme, themeOf } from "./theme";

/** The theme that this request's sender has chosen. */
export async function readTheme(): Promise<Theme> {
  return themeOf((await cookies()).get(THEME_COOKIE)?.value);
}
