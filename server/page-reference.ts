/** What the page of the API reference shows. */
export interface ApiReference {
  /** The description of the REST API, as `/openapi.json` serves it. It is the same text for each call. */
  document: string;
  /** Scheme, host and port at which the reader reaches this server. */
  origin: string;
}

type ReadReference = (headers: Headers) => Promise<ApiReference>;

/** As for the procedures (server/page-caller.ts): pages are bundled apart from the server. */
const PLACE = Symbol.for("allowance.pageReference");

/** Lets pages read the description of the API from now on. The server calls this once. */
export function providePageReference(read: ReadReference): void {
  Object.assign(globalThis, { [PLACE]: read });
}

/**
 * The description of the API for the reader who sent these headers.
 * @throws {Error} when the pages run without `server/main.ts`.
 */
export function referenceFor(headers: Headers): Promise<ApiReference> {
  const read: ReadReference | undefined = Reflect.get(globalThis, PLACE);
  if (read === undefined) throw new Error("pages are served by server/main.ts alone");
  return read(headers);
}
