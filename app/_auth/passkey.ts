import { AuthError, callAuth } from "./call";

/** Whether this browser supports passkeys, and their exchange as JSON. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential !== "undefined" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/**
 * Signs in with a passkey that the browser offers.
 * @throws {AuthError} `PASSKEY_CANCELLED` if no passkey was chosen.
 */
export async function signInWithPasskey(): Promise<void> {
  await presentPasskey("/passkey/verify-authentication");
}

/**
 * Proves with a passkey of the account that it is still its owner who uses this browser.
 * @throws {AuthError} `PASSKEY_CANCELLED` if no passkey was chosen.
 */
export async function proveByPasskey(): Promise<void> {
  await presentPasskey("/prove/passkey");
}

async function presentPasskey(path: string): Promise<void> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>("/passkey/generate-authenticate-options");
  // A passkey replaces both the password and the second factor, so it must verify the user.
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ ...options, userVerification: "required" });
  const response = await chosen(navigator.credentials.get({ publicKey }));
  await callAuth(path, { response });
}

/**
 * Creates a passkey for the account that is signed in.
 * @throws {AuthError} `PASSKEY_CANCELLED` if it was not created, `PASSKEY_REGISTERED` if the device already has one.
 */
export async function addPasskey(name: string): Promise<void> {
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>("/passkey/generate-register-options");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await chosen(navigator.credentials.create({ publicKey }));
  await callAuth("/passkey/verify-registration", { response, name });
}

async function chosen(asked: Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await asked;
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") {
      throw new AuthError("PASSKEY_REGISTERED");
    }
  }
  throw new AuthError("PASSKEY_CANCELLED");
}
