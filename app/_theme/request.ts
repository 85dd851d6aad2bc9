import { cookies } from "next/headers";
import { THEME_COOKIE, type Theme, themeOf } from "./theme";

/** The theme that the sender of this request has chosen. */
export async function readTheme(): Promise<Theme> {
  return themeOf((await cookies()).get(THEME_COOKIE)?.value);
}
