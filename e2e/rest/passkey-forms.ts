const CLIENT_DATA = Buffer.from('{"type":"webauthn.create","challenge":"AA","origin":"http://localhost"}');

/** A passkey as a browser makes it, with signatures that prove nothing. */
export const CREATED = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  clientExtensionResults: {},
  response: { clientDataJSON: CLIENT_DATA.toString("base64url"), attestationObject: "oA", transports: ["usb"] },
};
/** A passkey as it is used. */
export const USED = {
  ...CREATED,
  response: {
    clientDataJSON: CLIENT_DATA.toString("base64url"),
    authenticatorData: "A".repeat(64),
    signature: "AAAA",
    userHandle: "AAAA",
  },
};
