import { callAuth } from "./call";
import { openPage } from "./open-page";

/**
 * Opens the page of the single sign-on provider.
 * @param next the path to open after signing in.
 * @throws {AuthError}
 */
export async function openSingleSignOn(next: string): Promise<void> {
  const errorCallbackURL = `/sign-in?next=${encodeURIComponent(next)}`;
  const body = { provider: "oidc", callbackURL: next, errorCallbackURL, disableRedirect: true };
  await openPage((await callAuth<{ url: string }>("/sign-in/social", body)).url);
}
